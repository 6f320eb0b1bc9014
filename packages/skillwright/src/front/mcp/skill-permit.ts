// What is kept from an agent, whichever tool, resource or prompt it tries: skills that were switched off, and skills that
// a rule denies by name. A rule about loading as a whole leaves reading section by section alone.

import { basename, join } from 'node:path';
import { foldText } from '../../base/markdown/index.ts';
import {
  decide,
  type HiddenReason,
  type JudgedSkill,
  type Permissions,
  refusal,
} from '../../host/runtime/index.ts';
import { disabledNames, readSkillState } from '../../read/catalog/index.ts';
import { SKILL_FILE } from '../../skill/places/index.ts';
import type { CommandContext } from '../commands/index.ts';
import type { SkillReader } from './skill-reader.ts';

/** Judges skills for one server. */
export interface SkillPermit {
  /** E001 when the skill in a canonical directory was switched off, E060 when it is denied, E110 for broken rules. */
  check(dir: string, cwd: string): Promise<void>;
  /** Those that may be seen. */
  filter<Skill extends { readonly dir: string }>(skills: readonly Skill[], cwd: string): Promise<Skill[]>;
}

/** For how long rules hold without being read again. */
const RULES_MS = 2000;

/** A permit that has read nothing yet. */
export function createSkillPermit(
  { home, env }: Pick<CommandContext, 'home' | 'env'>,
  reader: SkillReader,
): SkillPermit {
  let known: { cwd: string; at: number; rules: Promise<Permissions> } | undefined;
  const rulesIn = (cwd: string): Promise<Permissions> => {
    const now = performance.now();
    if (known?.cwd === cwd && now - known.at < RULES_MS) return known.rules;
    const rules = import('../../host/runtime/session-settings.ts')
      .then(({ readSettings }) => readSettings({ cwd, home, env, trust: true }))
      .then(({ permissions }) => permissions);
    known = { cwd, at: now, rules };
    rules.catch(() => {
      known = undefined;
    });
    return rules;
  };
  const switchedOff = (cwd: string): ReadonlySet<string> => {
    const place = { cwd, home, env };
    return disabledNames([readSkillState('user', place), readSkillState('project', place)]);
  };
  const judged = (dir: string): JudgedSkill => {
    const frontmatter = reader.manifest(dir)?.frontmatter ?? {};
    const name = typeof frontmatter.name === 'string' ? frontmatter.name : basename(dir);
    return { name, dir, path: join(dir, SKILL_FILE), frontmatter, enabled: true, available: true };
  };
  const reasonFor = (
    skill: JudgedSkill,
    rules: Permissions,
    off: ReadonlySet<string>,
  ): HiddenReason | undefined => {
    if (off.has(foldText(skill.name))) return 'disabled';
    const { effect, rule } = decide(skill, rules);
    return effect === 'deny' && rule?.skill_name !== undefined ? 'denied' : undefined;
  };
  return {
    async check(dir, cwd) {
      const rules = await rulesIn(cwd);
      const skill = judged(dir);
      const reason = reasonFor(skill, rules, switchedOff(cwd));
      if (reason !== undefined) throw refusal(skill, reason);
    },
    async filter(skills, cwd) {
      const rules = await rulesIn(cwd);
      const off = switchedOff(cwd);
      return skills.filter(({ dir }) => reasonFor(judged(dir), rules, off) === undefined);
    },
  };
}
