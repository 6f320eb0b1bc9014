// The operations of the API.

export { callOf, handlers, mountOperations } from './mount-operations.ts';
export { openApiDocument } from './openapi.ts';
