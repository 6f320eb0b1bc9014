import type { Migration } from './index.ts';

/**
 * The subject of a private version's leaf, by which everybody recognises a second one. Earlier leaves have none: the server logs
 * those versions again when it starts.
 */
export const subjects: Migration = {
  name: '0096-subjects',
  statements: ['alter table log_leaves add column subject text'],
};
