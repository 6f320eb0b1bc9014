import { expect, test } from 'vitest';
import type { Searched } from './search-memory.ts';
import { createSearchState } from './search-memory.ts';
import { wordStatistics } from './word-statistics.ts';

const MEGABYTE = 2 ** 20;

test.each([
  [1, 768],
  [4, 3072],
])('a memory of %i MB keeps %i full summaries of 1 KiB', (megabytes, kept) => {
  const { summaries } = createSearchState(megabytes * MEGABYTE).rows.view;
  const summary = { name: 'x'.repeat(1024 - '{"name":""}'.length) };
  for (let id = 0; id < 5120; id++) summaries.set('all', id, summary as never);
  const found = Array.from({ length: 5120 }, (_, id) => summaries.get('all', id)).filter(Boolean);
  expect(found).toHaveLength(kept);
});

test('counts of words are forgotten when they need more than their share', () => {
  const search = createSearchState(MEGABYTE);
  const registry = { search, now: () => new Date(0) } as Searched;
  const about = (scope: number) => wordStatistics(registry, { scopes: [scope], memory: search.rows.view });
  const first = about(1);
  for (let term = 0; term < search.maxCounts; term++) first.remember(term, 200);
  expect([search.maxCounts, about(1).recall(7)]).toEqual([5243, 200]);
  about(2);
  expect(about(1).recall(7)).toBeUndefined();
});
