// The operations of the API, and the document that describes them.

import { mountOperations, openApiDocument, operations } from '../api/index.ts';
import type { App } from '../http/index.ts';

/** Everything in the table of operations, and `/openapi.json`. */
export function api(app: App): void {
  mountOperations(app, operations);
  app.get('/openapi.json', async (context) => {
    context.header('cache-control', 'public, max-age=300');
    return context.json(await openApiDocument(context.get('registry').publicUrl));
  });
}
