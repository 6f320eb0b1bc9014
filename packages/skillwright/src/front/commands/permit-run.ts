// Whether something of a skill may be run: the rules decide on the skill that was found, whoever asks for it.

import { basename, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { CommandContext } from './command-context.ts';

/** E060, E001 when rules, or having been switched off, keep the skill in `dir` from being run; E061 when nobody confirms. */
export async function permitRun(dir: string, context: CommandContext): Promise<void> {
  const { cwd, home, env } = context;
  const [judge, settings, state, { readSkillText }, { readFrontmatter }, { foldText }] = await Promise.all([
    import('../../host/runtime/judge-skill.ts'),
    import('../../host/runtime/session-settings.ts'),
    import('../../read/catalog/skill-state.ts'),
    import('../../skill/format/read-skill-text.ts'),
    import('../../skill/format/frontmatter.ts'),
    import('../../base/markdown/fold-text.ts'),
  ]);
  const { permissions } = await settings.readSettings({ cwd, home, env, trust: true });
  const content = readSkillText(dir);
  const frontmatter = content.problem === undefined ? (readFrontmatter(content.text).data ?? {}) : {};
  const name = typeof frontmatter.name === 'string' ? frontmatter.name : basename(dir);
  const off = state.disabledNames([
    state.readSkillState('user', context),
    state.readSkillState('project', context),
  ]);
  const enabled = !off.has(foldText(name)) && !off.has(foldText(basename(dir)));
  const skill = {
    name,
    dir,
    path: join(dir, 'SKILL.md'),
    frontmatter,
    enabled,
    available: true,
  };
  // Over a connection it is a model that asks.
  const by = context.session === undefined ? 'user' : 'model';
  const reason = judge.hiddenReason(skill, { permissions, by });
  if (reason !== undefined && !(by === 'user' && reason === 'model-only')) throw judge.refusal(skill, reason);
  const effects = ['skill_load', 'skill_run'].map((tool) => judge.decide(skill, permissions, tool).effect);
  if (effects.includes('deny')) throw judge.refusal(skill, 'denied');
  if (!effects.includes('confirm')) return;
  const answer = await context.ask?.confirm(`Run a script of ${name}?`);
  if (answer !== true) throw SkillwrightError.of('E061', { skill: name }, { data: { path: skill.path } });
}
