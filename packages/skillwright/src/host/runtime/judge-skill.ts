// Whether a skill may be seen and used, and by whom. Every way to a skill asks here.

import { basename } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { Flag } from '../../skill/format/index.ts';
import type { PermissionDecision, Permissions } from './permissions.ts';

/** Who wants to use a skill. */
export type Actor = 'model' | 'user';

/** Why a skill is kept from someone. */
export type HiddenReason = 'disabled' | 'unavailable' | 'denied' | 'user-only' | 'model-only';

/** What of a skill is judged. */
export type JudgedSkill = Pick<
  SkillRecord,
  'name' | 'dir' | 'path' | 'frontmatter' | 'enabled' | 'available' | 'reason'
>;

/** What to judge by. */
export interface Judgement {
  readonly permissions: Permissions;
  readonly by: Actor;
}

/** Why the skill does not exist for `by`; undefined when it does. */
export function hiddenReason(skill: JudgedSkill, { permissions, by }: Judgement): HiddenReason | undefined {
  if (!skill.enabled) return 'disabled';
  if (!skill.available) return 'unavailable';
  if (decide(skill, permissions).effect === 'deny') return 'denied';
  if (by === 'model' && isUserOnly(skill.frontmatter)) return 'user-only';
  if (by === 'user' && isModelOnly(skill.frontmatter)) return 'model-only';
  return undefined;
}

/** True when the skill exists for the model or for the user. */
export function isUsable(skill: JudgedSkill, permissions: Permissions): boolean {
  const existsFor = (by: Actor) => hiddenReason(skill, { permissions, by }) === undefined;
  return existsFor('model') || existsFor('user');
}

/** The rule for using `tool` on a skill, by every name it has: its own, that of its directory, one it has just given itself. */
export function decide(
  skill: JudgedSkill,
  permissions: Permissions,
  tool = 'skill_load',
): PermissionDecision {
  const { name } = skill.frontmatter;
  const aliases = [basename(skill.dir), ...(typeof name === 'string' ? [name] : [])];
  return permissions.check({ tool, skill_name: skill.name, aliases });
}

/** The error for a skill that is kept from someone. What must not be seen is as good as not there. */
export function refusal(skill: JudgedSkill, reason: HiddenReason): SkillwrightError {
  const data = { reason, path: skill.path };
  switch (reason) {
    case 'disabled':
      return SkillwrightError.of('E001', { skill: skill.name }, { help: 'it is disabled', data });
    case 'unavailable': {
      const help = `it is unavailable here: ${skill.reason ?? 'something it requires is missing'}`;
      return SkillwrightError.of('E001', { skill: skill.name }, { help, data });
    }
    case 'denied':
      return SkillwrightError.of('E060', { skill: skill.name }, { data });
    case 'user-only': {
      const help = 'only the user may invoke it (disable-model-invocation)';
      return SkillwrightError.of('E060', { skill: skill.name }, { help, data });
    }
    case 'model-only': {
      const help = 'only the agent may use it (user-invocable: false)';
      return SkillwrightError.of('E060', { skill: skill.name }, { help, data });
    }
  }
}

/** A flag that cannot be read counts as set: a mistake must not open what was to be closed. */
function isUserOnly(frontmatter: SkillRecord['frontmatter']): boolean {
  const value = frontmatter['disable-model-invocation'] ?? false;
  return value === false ? false : (Flag.safeParse(value).data ?? true);
}

function isModelOnly(frontmatter: SkillRecord['frontmatter']): boolean {
  const value = frontmatter['user-invocable'] ?? true;
  return value === true ? false : Flag.safeParse(value).data === false;
}
