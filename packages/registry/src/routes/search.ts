// Search.

import { SearchQuery } from 'skillwright/registry-protocol';
import type { App } from '../app/create-app.ts';
import { Failure } from '../app/failure.ts';
import { searchSkills } from '../search/search-skills.ts';

/** `GET /api/v1/search`. */
export function search(app: App): void {
  app.get('/api/v1/search', async (context) => {
    const query = readSearchQuery(context.req.query());
    const page = await searchSkills(context.get('registry'), context.get('caller'), query);
    return context.json(page, 200, { 'cache-control': 'private, no-cache' });
  });
}

/** The query of an address. Fails when a parameter is not valid. */
export function readSearchQuery(parameters: Readonly<Record<string, string>>): SearchQuery {
  const query = SearchQuery.safeParse(parameters);
  if (!query.success)
    throw new Failure('bad_request', 'the search is not valid', {
      details: query.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    });
  // PostgreSQL has no such character.
  if (Object.values(parameters).some((value) => value.includes('\0')))
    throw new Failure('bad_request', 'the search is not valid', { details: ['a parameter contains a NUL'] });
  return query.data;
}
