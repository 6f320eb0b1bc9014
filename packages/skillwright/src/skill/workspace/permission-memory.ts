// Permissions the user granted permanently when asked. Only the user's file counts: a project cannot ship its own. Each
// applies to one skill, by its path and the content of its files, not to another skill of the same name.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { PermissionRule } from '../config/index.ts';
import { isMapping } from '../format/index.ts';
import type { RememberedPermission } from './permissions.ts';
import type { Store } from './project.ts';
import { readState, updateState } from './state-file.ts';

/**
 * The stored permissions, and W010 for entries that name no particular skill and no longer count. E110 when an entry is
 * malformed, so that it is neither lost nor widened.
 */
export function readPermissionMemory(store: Store): {
  remembered: RememberedPermission[];
  diagnostics: Diagnostic[];
} {
  const remembered: RememberedPermission[] = [];
  const diagnostics: Diagnostic[] = [];
  // An unreadable state file counts as empty: the user is asked again.
  allowedIn(readState(store.state).state).forEach((entry, index) => {
    const permission = readPermission(entry);
    if (permission === undefined)
      throw SkillwrightError.of('E110', {
        where: store.state,
        why: `permissions.allow.${index} is not a rule for one skill`,
      });
    if (permission.path !== '') remembered.push(permission);
    else {
      const why = `the permission to load '${permission.skill_name}' names no particular skill`;
      const help =
        'you will be asked again; your answer then applies to that one skill in its current version';
      diagnostics.push(diagnose('W010', { path: store.state, why }, { help }));
    }
  });
  return { remembered, diagnostics };
}

/** Whether a permission can be stored: rules must be able to name the skill. */
export const canRemember = (permission: RememberedPermission): boolean =>
  readPermission(permission) !== undefined;

/** Stores that a tool may be used on a skill. False when it cannot be stored. E016. */
export function rememberPermission(store: Store, permission: RememberedPermission): boolean {
  if (!canRemember(permission)) return false;
  updateState(store.state, (state) => {
    // Earlier entries for this skill, or for its name alone, no longer count.
    const others = allowedIn(state).filter((entry) => {
      const known = readPermission(entry);
      const isName = known?.path === '' && known.skill_name === permission.skill_name;
      return known?.tool !== permission.tool || (!isName && known.path !== permission.path);
    });
    const permissions = isMapping(state.permissions) ? state.permissions : {};
    return { ...state, permissions: { ...permissions, allow: [...others, permission] } };
  });
  return true;
}

/** An entry; old ones have only a name, without path and digest. */
function readPermission(entry: unknown): RememberedPermission | undefined {
  if (!isMapping(entry)) return undefined;
  const { path = '', digest = '', ...rest } = entry;
  const rule = PermissionRule.safeParse(rest);
  const skill_name = rule.data?.skill_name;
  if (!rule.success || skill_name === undefined || typeof path !== 'string' || typeof digest !== 'string')
    return undefined;
  return (path === '') === (digest === '') ? { tool: rule.data.tool, skill_name, path, digest } : undefined;
}

function allowedIn(state: Readonly<Record<string, unknown>>): unknown[] {
  if (!isMapping(state.permissions)) return [];
  return Array.isArray(state.permissions.allow) ? state.permissions.allow : [];
}
