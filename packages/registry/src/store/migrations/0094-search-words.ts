import type { Migration } from './index.ts';

/** The version of the words that searches know of a skill: the server renews older ones when it starts. */
export const searchWords: Migration = {
  name: '0094-search-words',
  statements: ['alter table search_documents add column words integer not null default 0'],
};
