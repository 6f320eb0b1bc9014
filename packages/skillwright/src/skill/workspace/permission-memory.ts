// What the user has allowed once and for all when asked. It is the user's alone: a project cannot bring its own.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile } from '../../base/files/index.ts';
import { PermissionRule } from '../config/index.ts';
import { isMapping } from '../format/index.ts';
import { updateState } from './state-file.ts';
import type { Store } from './store.ts';

const MAX_STATE_BYTES = 1024 * 1024;

/** The rules that were remembered. E110 when one is malformed, so that it is neither lost nor wider than it was. */
export function readPermissionMemory(store: Store): PermissionRule[] {
  const place = store.state;
  const bytes = readRegularFile(place, { maxBytes: MAX_STATE_BYTES });
  if (bytes === undefined) return [];
  return allowedIn(parseState(bytes.toString('utf8'))).map((rule, index) => {
    const result = PermissionRule.safeParse(rule);
    if (result.success && result.data.skill_name !== undefined) return result.data;
    throw SkillwrightError.of('E110', {
      where: place,
      why: `permissions.allow.${index} is no rule for one skill`,
    });
  });
}

/** Remembers that a skill may be loaded. False when its name is none a rule can have, so that nothing was written. */
export function rememberPermission(store: Store, skillName: string): boolean {
  const rule = PermissionRule.safeParse({ tool: 'skill_load', skill_name: skillName });
  if (!rule.success) return false;
  updateState(store.state, (state) => {
    const before = allowedIn(state);
    const known = before.some(
      (other) => isMapping(other) && other.tool === rule.data.tool && other.skill_name === skillName,
    );
    if (known) return undefined;
    const others = isMapping(state.permissions) ? state.permissions : {};
    return { ...state, permissions: { ...others, allow: [...before, rule.data] } };
  });
  return true;
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
