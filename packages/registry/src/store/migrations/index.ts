// All migrations in order. A released one never changes.

import { accounts } from './0010-accounts.ts';
import { skills } from './0020-skills.ts';
import { log } from './0030-log.ts';
import { limits } from './0040-limits.ts';
import { signIn } from './0050-sign-in.ts';
import { ownership } from './0051-owners.ts';
import { moderation } from './0060-moderation.ts';
import { withheld } from './0061-withheld.ts';
import { search } from './0070-search.ts';
import { servedEntries } from './0071-served-entries.ts';
import { downloads } from './0072-downloads.ts';
import { searchScope } from './0073-search-scope.ts';
import { searchChanges } from './0074-search-changes.ts';
import { mirrors } from './0080-mirrors.ts';
import { searchTriggers } from './0090-search-triggers.ts';
import { secrets } from './0091-secrets.ts';
import { buckets } from './0092-buckets.ts';
import { authority } from './0093-authority.ts';
import { searchWords } from './0094-search-words.ts';
import { people } from './0095-people.ts';
import { subjects } from './0096-subjects.ts';

/** One step of the schema. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  accounts,
  skills,
  log,
  limits,
  signIn,
  ownership,
  moderation,
  withheld,
  search,
  servedEntries,
  downloads,
  searchScope,
  searchChanges,
  mirrors,
  searchTriggers,
  secrets,
  buckets,
  authority,
  searchWords,
  people,
  subjects,
];
