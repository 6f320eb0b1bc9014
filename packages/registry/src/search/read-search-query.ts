// The query of the search page.

import { SearchQuery } from 'skillwright/registry-protocol';
import { Failure } from '../base/index.ts';

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
