import type { Migration } from './index.ts';

/**
 * Moderators of the registry, offered memberships, and limits of namespaces. Offers name an account instead of pointing to it:
 * an offer to a name that nobody has looks like any other.
 */
export const people: Migration = {
  name: '0095-people',
  statements: [
    'alter table accounts add column is_moderator boolean not null default false',
    `alter table skills add column authority jsonb not null default '{}'`,
    'alter table owners add column created_by bigint references accounts',
    `update owners o set created_by = (select u.account_id from audit u
      where u.owner_id = o.id and u.action = 'owner.create' order by u.id limit 1)`,
    'create index owners_by_creator on owners (created_by)',
    // The account that started the CI run that published a version, where that is known.
    'alter table versions add column started_by bigint references accounts',
    `create index versions_withheld on versions (id) where purged is not null or quarantined is not null`,
    'create index versions_by_publisher on versions (published_by, skill_id)',
    `alter table transfers add column roles text[], add column to_name text`,
    'update transfers t set to_name = a.name from accounts a where a.id = t.to_account',
    'alter table transfers alter column to_name set not null, alter column to_account drop not null',
    'drop index transfers_pending',
    `create unique index transfers_pending on transfers (owner_id) where state = 'pending' and roles is null`,
    `create unique index memberships_pending on transfers (owner_id, to_name) where state = 'pending' and roles is not null`,
    // A namespace does not hear who reported its skills.
    `update audit set owner_id = null where action like 'report.%'`,
    'drop index publishers_by_repository',
    'create index publishers_by_repository on publishers (issuer, lower(repository collate "C"))',
  ],
};
