// The one judge of the registry: what a caller may do in a namespace, and which skills a caller sees.

import type { Role, Scope } from 'skillwright/registry-protocol';
import { Failure } from '../app/failure.ts';
import type { Caller } from './caller.ts';

interface Rule {
  readonly scope: Scope;
  readonly roles: readonly Role[];
}

/** Actions in a namespace: the scope a token needs, and the roles of which the account needs one. */
const rules = {
  /** Read private skills. */
  read: { scope: 'read', roles: ['reader', 'publisher', 'reviewer', 'admin'] },
  /** See versions that wait for review. */
  preview: { scope: 'read', roles: ['publisher', 'reviewer', 'admin'] },
  /** Publish, yank, deprecate, change visibility. */
  publish: { scope: 'publish', roles: ['publisher', 'admin'] },
  /** Approve or reject versions, quarantine them, scan them again. */
  review: { scope: 'review', roles: ['reviewer', 'admin'] },
  /** Members, transfers, publishers, webhooks, mirrors. */
  manage: { scope: 'owner', roles: ['admin'] },
} as const satisfies Record<string, Rule>;

/** An action in a namespace. */
export type Action = keyof typeof rules;

/** The part of a skill that rights depend on. */
export interface Guarded {
  readonly ownerId: number;
  readonly visibility: 'private' | 'public';
  /** Name of the skill. Tokens for one skill can do nothing where it is left out. */
  readonly name?: string | undefined;
}

/** Whether the caller may do this in the namespace. */
export function may(
  caller: Caller,
  action: Action,
  { ownerId, name }: Pick<Guarded, 'ownerId' | 'name'>,
): boolean {
  const { scope, roles } = rules[action];
  if (caller.via === 'system') return true;
  if (caller.account === undefined || !caller.scopes.has(scope)) return false;
  if (caller.limitedTo !== undefined && caller.limitedTo !== ownerId) return false;
  if (caller.onlySkill !== undefined && caller.onlySkill !== name) return false;
  if (caller.account.isAdmin) return true;
  const has = caller.roles.get(ownerId);
  return has !== undefined && roles.some((role) => has.has(role));
}

/** Whether the caller may know that the skill exists. */
export function maySee(caller: Caller, skill: Guarded): boolean {
  return skill.visibility === 'public' || may(caller, 'read', skill);
}

/** Whether the caller administers the registry itself. */
export function isRegistryAdmin(caller: Caller): boolean {
  if (caller.via === 'system') return true;
  return caller.account?.isAdmin === true && caller.scopes.has('admin') && caller.limitedTo === undefined;
}

/** Fails unless the caller may do this: 404 for a skill the caller may not see, 401 without an account, else 403. */
export function demand(caller: Caller, action: Action, skill: Guarded): void {
  if (may(caller, action, skill)) return;
  if (!maySee(caller, skill)) throw notFound();
  throw caller.account === undefined
    ? unauthorised()
    : new Failure('forbidden', 'your role or token does not allow this');
}

/** Fails unless the caller may rate the skill: any account that sees it, except those who publish it. */
export function demandRating(caller: Caller, skill: Guarded): void {
  if (!maySee(caller, skill)) throw notFound();
  if (caller.account === undefined) throw unauthorised();
  const isElsewhere = caller.limitedTo !== undefined && caller.limitedTo !== skill.ownerId;
  if (!caller.scopes.has('rate') || isElsewhere)
    throw new Failure('forbidden', 'your role or token does not allow this');
  const roles = caller.roles.get(skill.ownerId);
  if (roles?.has('publisher') || roles?.has('admin'))
    throw new Failure('forbidden', 'you publish in this namespace, so you cannot rate its skills');
}

/** Fails unless the caller administers the registry. */
export function demandRegistryAdmin(caller: Caller): void {
  if (isRegistryAdmin(caller)) return;
  throw caller.account === undefined
    ? unauthorised()
    : new Failure('forbidden', 'only administrators of the registry may do this');
}

/** The answer for skills that do not exist and for those the caller may not see: always the same. */
export function notFound(): Failure {
  return new Failure('not_found', 'no such skill, version or owner, or you may not see it');
}

export function unauthorised(): Failure {
  return new Failure('unauthorised', 'sign in first', { headers: { 'www-authenticate': 'Bearer' } });
}

/**
 * SQL condition on the table `skills` (alias `s`) for the skills a caller may see. Appends its parameter to `parameters`.
 * Every list, count and search of skills contains it.
 */
export function visibleTo(caller: Caller, parameters: unknown[]): string {
  if (caller.via === 'system') return 'true';
  const canRead = caller.account !== undefined && caller.scopes.has('read');
  if (canRead && caller.account.isAdmin && caller.limitedTo === undefined) return 'true';
  const owners = canRead
    ? [
        ...caller.roles.keys(),
        ...(caller.account.isAdmin && caller.limitedTo !== undefined ? [caller.limitedTo] : []),
      ]
    : [];
  const allowed = owners.filter((id) => may(caller, 'read', { ownerId: id }));
  if (allowed.length === 0) return `s.visibility = 'public'`;
  parameters.push(allowed);
  return `(s.visibility = 'public' or s.owner_id = any($${parameters.length}::bigint[]))`;
}
