// The operations of the API.

export { handlers, mountOperations } from './mount-operations.ts';
export { openApiDocument } from './openapi.ts';
export type { OperationCall } from './operation.ts';
