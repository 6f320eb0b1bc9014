import type { Migration } from './index.ts';

/** Entries of the skills extension, made at publication: frontmatter, and digest and size of every file. */
export const servedEntries: Migration = {
  name: '0071-served-entries',
  statements: [
    `create table served_entries (
      archive_digest text primary key,
      entry jsonb not null,
      created_at timestamptz not null default now()
    )`,
  ],
};
