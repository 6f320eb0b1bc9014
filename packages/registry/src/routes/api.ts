// The operations of the API, and the document that describes them.

import { mountOperations } from '../api/mount-operations.ts';
import { openApiDocument } from '../api/openapi.ts';
import { operations } from '../api/operations.ts';
import type { App } from '../app/create-app.ts';

/** Everything in the table of operations, and `/openapi.json`. */
export function api(app: App): void {
  mountOperations(app, operations);
  app.get('/openapi.json', (context) => {
    context.header('cache-control', 'public, max-age=300');
    return context.json(openApiDocument(context.get('registry').publicUrl));
  });
}
