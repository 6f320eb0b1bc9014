// The one judge of the registry: what a caller may do in a namespace, and which skills a caller sees.

import type { Role, Scope } from 'skillwright/registry-protocol';
import { Failure } from '../base/index.ts';
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
  /** Whether no version of it has been approved, so that strangers do not hear of it. */
  readonly isWithheld?: boolean | undefined;
  /** Name of the skill. Tokens for one skill can do nothing where it is left out. */
  readonly name?: string | undefined;
}

/** Whether the caller may do this in the namespace. */
export function may(
  caller: Caller,
  action: Action,
  { ownerId, name }: Pick<Guarded, 'ownerId' | 'name'>,
): boolean {
  const { scope } = rules[action];
  if (caller.via === 'system') return true;
  if (caller.account === undefined || !caller.scopes.has(scope)) return false;
  if (caller.limitedTo !== undefined && caller.limitedTo !== ownerId) return false;
  if (caller.onlySkill !== undefined && caller.onlySkill !== name) return false;
  if (caller.account.isAdmin || (caller.account.isModerator && moderated.has(action))) return true;
  return hasRole(caller, action, ownerId);
}

/** Actions in every namespace that moderators have a right to. */
const moderated: ReadonlySet<Action> = new Set(['read', 'preview', 'review']);

/** Whether the caller belongs to the namespace with a role for this. */
function hasRole(caller: Caller, action: Action, ownerId: number): boolean {
  const { roles } = rules[action];
  const has = caller.roles.get(ownerId);
  return has !== undefined && roles.some((role) => has.has(role));
}

/** Whether everybody may know that the skill exists. `visibleTo` says the same in SQL. */
export function isOpen({ visibility, isWithheld = false }: Guarded): boolean {
  return visibility === 'public' && !isWithheld;
}

/** Whether the caller may know that the skill exists. */
export function maySee(caller: Caller, skill: Guarded): boolean {
  return isOpen(skill) || may(caller, 'read', skill);
}

/** Whether the caller administers the registry itself. */
export function isRegistryAdmin(caller: Caller): boolean {
  if (caller.via === 'system') return true;
  return caller.account?.isAdmin === true && caller.scopes.has('admin') && caller.limitedTo === undefined;
}

/**
 * Whether the caller moderates the registry: decides about skills of every namespace, hears of reports, and cannot be undone by
 * the namespace. A token needs the scope `review`, and may not be limited to a namespace.
 */
export function isModerator(caller: Caller): boolean {
  if (caller.via === 'system') return true;
  const { account, scopes, limitedTo } = caller;
  const isNamed = account?.isAdmin === true || account?.isModerator === true;
  return isNamed && scopes.has('review') && limitedTo === undefined;
}

/** Decisions about a skill or version that can be undone, and who made them if the registry did. */
export type Authority = Readonly<
  Partial<Record<'quarantined' | 'yanked' | 'review' | 'deprecated' | 'visibility', 'registry' | null>>
>;

/** A right in one namespace. */
interface Right {
  readonly action: Action;
  readonly ownerId: number;
}

/**
 * The authority that makes a decision, as it is stored. Moderators decide for the registry, unless they do what people of the
 * namespace do every day and belong to it.
 */
export function decidedBy(caller: Caller, { action, ownerId }: Right): 'registry' | null {
  const isOwn = hasRole(caller, action, ownerId);
  return isOwn && (action === 'publish' || !isModerator(caller)) ? null : 'registry';
}

/**
 * Fails unless the caller belongs to the authority that decided: a namespace cannot undo the registry's decisions, and the
 * registry not those of a namespace. Somebody with a role in the namespace belongs to it, whatever else the account may do.
 */
export function demandUndo(
  caller: Caller,
  { decided, action, ownerId }: Right & { readonly decided: 'registry' | null | undefined },
): void {
  if (decided === 'registry' ? isModerator(caller) : hasRole(caller, action, ownerId)) return;
  if (caller.via === 'system') return;
  throw new Failure(
    'forbidden',
    decided === 'registry'
      ? 'the registry decided this; only its moderators can undo it'
      : 'the namespace decided this; only its own people can undo it',
  );
}

/**
 * The authority that gives a state another reason, or undoes it; fails when that is up to somebody else. The registry may make a
 * decision of the namespace its own.
 */
export function decide(
  caller: Caller,
  right: Right & { readonly decided: 'registry' | null | undefined },
  { from, to }: { readonly from: string | null; readonly to: string | null },
): 'registry' | null {
  const decided = decidedBy(caller, right);
  if (from !== null && (to === null || decided === null)) demandUndo(caller, right);
  return decided;
}

/** Fails unless the caller may do this: 404 for a skill the caller may not see, 401 without an account, else 403. */
export function demand(caller: Caller, action: Action, skill: Guarded): void {
  if (may(caller, action, skill)) return;
  if (!maySee(caller, skill)) throw notFound();
  throw caller.account === undefined
    ? unauthorised()
    : new Failure('forbidden', 'your role or token does not allow this');
}

/** Fails unless the caller may rate the skill: any account that sees it, except those who publish in its namespace or have. */
export function demandRating(
  caller: Caller,
  skill: Guarded,
  { hasPublished }: { readonly hasPublished: boolean },
): void {
  if (!maySee(caller, skill)) throw notFound();
  if (caller.account === undefined) throw unauthorised();
  const isElsewhere = caller.limitedTo !== undefined && caller.limitedTo !== skill.ownerId;
  if (!caller.scopes.has('rate') || isElsewhere)
    throw new Failure('forbidden', 'your role or token does not allow this');
  const roles = caller.roles.get(skill.ownerId);
  if (hasPublished || roles?.has('publisher') || roles?.has('admin'))
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

export function unauthorised(why = 'sign in first'): Failure {
  return new Failure('unauthorised', why, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Ids of the namespaces whose private skills, or the one of this name, the caller may read; undefined for all. */
export function readableOwners(caller: Caller, name?: string): readonly number[] | undefined {
  return ownersFor(caller, 'read', name);
}

/** Ids of the namespaces in which the caller may do this; undefined for all. Comes from the caller's roles alone. */
function ownersFor(caller: Caller, action: Action, name?: string): readonly number[] | undefined {
  if (caller.via === 'system') return undefined;
  const { account, limitedTo } = caller;
  const isEverywhere =
    (account?.isAdmin === true || (account?.isModerator === true && moderated.has(action))) &&
    caller.scopes.has(rules[action].scope);
  if (isEverywhere && limitedTo === undefined) return undefined;
  const owners = [...caller.roles.keys(), ...(isEverywhere && limitedTo !== undefined ? [limitedTo] : [])];
  return [...new Set(owners)].filter((ownerId) => may(caller, action, { ownerId, name }));
}

/**
 * SQL condition on the table `skills` (alias `s`) for the skills whose versions a caller reviews. Appends its parameter to
 * `parameters`.
 */
export function reviewedBy(caller: Caller, parameters: unknown[]): string {
  const owners = ownersFor(caller, 'review');
  return owners === undefined ? 'true' : `s.owner_id = any($${parameters.push(owners)}::bigint[])`;
}

/** SQL condition on the table `skills` (alias `s`) for the skills everybody may see. */
const OPEN = `(s.visibility = 'public' and not s.is_withheld)`;

/**
 * SQL condition on the table `skills` (alias `s`) for the skills a caller may see. Appends its parameter to `parameters`.
 * Every list, count and search of skills contains it, and a lookup by name: a row that is not shown would cost time.
 */
export function visibleTo(
  caller: Caller,
  parameters: unknown[],
  { name }: { readonly name?: string } = {},
): string {
  const owners = readableOwners(caller, name);
  if (owners === undefined) return 'true';
  if (owners.length === 0) return OPEN;
  return `(${OPEN} or s.owner_id = any($${parameters.push(owners)}::bigint[]))`;
}

/** `visibleTo` for several callers in one statement: `column` has the text of `readersOf` for each. */
export function visibleBy(column: string): string {
  return `(${OPEN} or ${column} = '*' or s.owner_id::text = any(string_to_array(${column}, ',')))`;
}

/** The namespaces whose private skill of this name the caller may read, as text: `*` for all. */
export function readersOf(caller: Caller, name: string): string {
  return readableOwners(caller, name)?.join(',') ?? '*';
}

/**
 * SQL condition: whether an account may do this in a namespace now. For work that an account set up and that goes on without
 * it, such as mirrors, webhooks and trusted publishers. `account` and `owner` are columns with ids.
 */
export function stillMay(action: Action, { account, owner }: { account: string; owner: string }): string {
  const roles = rules[action].roles.map((role) => `'${role}'`).join(', ');
  return `exists (select from accounts acting where acting.id = ${account} and acting.suspended is null
    and (acting.is_admin or exists (select from roles held
      where held.owner_id = ${owner} and held.account_id = acting.id and held.role in (${roles}))))`;
}
