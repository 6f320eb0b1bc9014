// What the user has allowed once and for all when asked. It is the user's alone: a project cannot bring its own. It holds for
// one skill, known by its place and by the content of its files, and not for whatever else takes its name.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile } from '../../base/files/index.ts';
import { PermissionRule } from '../config/index.ts';
import { isMapping } from '../format/index.ts';
import type { RememberedPermission } from './permissions.ts';
import { updateState } from './state-file.ts';
import type { Store } from './store.ts';

const MAX_STATE_BYTES = 1024 * 1024;

/**
 * What was remembered, and W010 for what names no particular skill and so no longer counts. E110 when an entry is
 * malformed, so that it is neither lost nor wider than it was.
 */
export function readPermissionMemory(store: Store): {
  remembered: RememberedPermission[];
  diagnostics: Diagnostic[];
} {
  const remembered: RememberedPermission[] = [];
  const diagnostics: Diagnostic[] = [];
  const bytes = readRegularFile(store.state, { maxBytes: MAX_STATE_BYTES });
  const entries = bytes === undefined ? [] : allowedIn(parseState(bytes.toString('utf8')));
  entries.forEach((entry, index) => {
    const permission = readEntry(entry);
    if (permission === undefined)
      throw SkillwrightError.of('E110', {
        where: store.state,
        why: `permissions.allow.${index} is no rule for one skill`,
      });
    if (permission.path !== '') remembered.push(permission);
    else {
      const why = `the permission to load '${permission.skill_name}' goes by its name alone`;
      const help = 'you will be asked again, and the answer holds for that one skill as it is then';
      diagnostics.push(diagnose('W010', { path: store.state, why }, { help }));
    }
  });
  return { remembered, diagnostics };
}

/** Whether a permission can be remembered: the name of the skill is one that a rule can have. */
export const canRemember = (permission: RememberedPermission): boolean => readEntry(permission) !== undefined;

/** Remembers that a tool may be used on a skill. False when it cannot be, so that nothing was written. E016. */
export function rememberPermission(store: Store, permission: RememberedPermission): boolean {
  if (!canRemember(permission)) return false;
  updateState(store.state, (state) => {
    // What was said of this skill before, and of its name alone, no longer counts.
    const others = allowedIn(state).filter((entry) => {
      const known = readEntry(entry);
      const isName = known?.path === '' && known.skill_name === permission.skill_name;
      return known?.tool !== permission.tool || (!isName && known.path !== permission.path);
    });
    const permissions = isMapping(state.permissions) ? state.permissions : {};
    return { ...state, permissions: { ...permissions, allow: [...others, permission] } };
  });
  return true;
}

/** An entry; one that goes by a name alone has neither path nor digest. */
function readEntry(entry: unknown): RememberedPermission | undefined {
  if (!isMapping(entry)) return undefined;
  const { path = '', digest = '', ...rest } = entry;
  const rule = PermissionRule.safeParse(rest);
  const skill_name = rule.data?.skill_name;
  if (!rule.success || skill_name === undefined || typeof path !== 'string' || typeof digest !== 'string')
    return undefined;
  return (path === '') === (digest === '') ? { tool: rule.data.tool, skill_name, path, digest } : undefined;
}

/** A state file that cannot be read remembers nothing: the user is asked again. */
function parseState(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function allowedIn(state: unknown): unknown[] {
  if (!isMapping(state) || !isMapping(state.permissions)) return [];
  return Array.isArray(state.permissions.allow) ? state.permissions.allow : [];
}
