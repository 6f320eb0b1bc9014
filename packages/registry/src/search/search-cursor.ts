// Cursors of search pages: the last result and the numbers its score depends on, so that the next page goes on exactly there
// whatever was published in between.

import { createHash } from 'node:crypto';
import type { SearchQuery } from 'skillwright/registry-protocol';
import * as z from 'zod';
import { Failure } from '../base/index.ts';

const Count = z.number().int().nonnegative();

/** Place after a result ordered by score. */
const RankedPlace = z.strictObject({
  score: z.number().min(0).max(10),
  id: Count,
  /** Number of skills, places of the words that count, and how many skills have each term. */
  skills: Count,
  words: z.array(Count).max(64),
  frequencies: z.array(Count).max(64),
});
export type RankedPlace = z.output<typeof RankedPlace>;

/** Place after a result ordered by a column, as PostgreSQL spells its value. */
const ListedPlace = z.strictObject({ key: z.string().max(200), id: Count });
type ListedPlace = z.output<typeof ListedPlace>;

/** A cursor for the same query, filters and order. */
export function writeCursor(query: SearchQuery, place: RankedPlace | ListedPlace): string {
  return Buffer.from(JSON.stringify([digestOfQuery(query), place])).toString('base64url');
}

export const readRankedPlace = (query: SearchQuery) => readCursor(query, RankedPlace);
export const readListedPlace = (query: SearchQuery) => readCursor(query, ListedPlace);

/** The place in a cursor; undefined for the first page. Fails when the cursor is of another query, or made up. */
function readCursor<Place>(query: SearchQuery, Place: z.ZodType<Place>): Place | undefined {
  if (query.cursor === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(query.cursor, 'base64url').toString());
    const [digest, place] = z.tuple([z.string(), Place]).parse(value);
    if (digest === digestOfQuery(query)) return place;
  } catch {
    // Said below.
  }
  throw new Failure('bad_request', 'the cursor does not belong to this search; start again without it');
}

function digestOfQuery({ q, owner, tag, category, level, sort }: SearchQuery): string {
  const parts = JSON.stringify([q, owner, tag, category, level, sort]);
  return createHash('sha256').update(parts).digest('base64url').slice(0, 12);
}
