// The operations of the API.

export { mountOperations } from './mount-operations.ts';
export { openApiDocument } from './openapi.ts';
