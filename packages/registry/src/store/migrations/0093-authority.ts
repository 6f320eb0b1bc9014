import type { Migration } from './index.ts';

const DECISIONS = {
  quarantined: 'version.quarantine',
  yanked: 'version.yank',
  review: 'version.reject',
} as const;

/**
 * Decisions are made by the registry, or by the namespace. `authority` has the decisions of the registry by name; those of the namespace are
 * left out. Earlier decisions are the registry's when one of its administrators made the last one of their kind.
 */
export const authority: Migration = {
  name: '0093-authority',
  statements: [
    `alter table versions add column authority jsonb not null default '{}'`,
    `alter table advisories add column by_registry boolean not null default false`,
    ...Object.entries(DECISIONS).map(
      ([decision, action]) => `update versions v set authority = authority || '{"${decision}": "registry"}'
        where ${decision} ${decision === 'review' ? `= 'rejected'` : 'is not null'} and (
          select a.is_admin from audit u join accounts a on a.id = u.account_id
          where u.skill_id = v.skill_id and u.version = v.version and u.action = '${action}' order by u.id desc limit 1)`,
    ),
    `update advisories d set by_registry = true from accounts a where a.id = d.account_id and a.is_admin`,
  ],
};
