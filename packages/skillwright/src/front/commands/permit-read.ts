// Whether anything of a skill may be read: one that was switched off is given to nobody, whichever front end is asked.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findProject, SKILL_FILE, storePaths } from '../../skill/places/index.ts';
import type { CommandContext } from './command-context.ts';

/** E001 when the skill in `dir` was switched off. Where nothing was ever switched, nothing is read. */
export async function permitRead(dir: string, context: CommandContext): Promise<void> {
  const { cwd, home } = context;
  const bases = [home, findProject(cwd, home)].filter((base) => base !== undefined);
  if (!bases.some((base) => existsSync(storePaths(base).state))) return;
  const { disabledNames, readSkillState } = await import('../../read/catalog/skill-state.ts');
  const off = disabledNames([readSkillState('user', context), readSkillState('project', context)]);
  if (off.size === 0) return;
  const [{ refusal }, { readSkillText }, { readFrontmatter }, { foldText }] = await Promise.all([
    import('../../host/runtime/judge-skill.ts'),
    import('../../skill/format/read-skill-text.ts'),
    import('../../skill/format/frontmatter.ts'),
    import('../../base/markdown/fold-text.ts'),
  ]);
  const content = readSkillText(dir);
  const frontmatter = content.problem === undefined ? (readFrontmatter(content.text).data ?? {}) : {};
  const name = typeof frontmatter.name === 'string' ? frontmatter.name : basename(dir);
  if (!off.has(foldText(name)) && !off.has(foldText(basename(dir)))) return;
  throw refusal(
    { name, dir, path: join(dir, SKILL_FILE), frontmatter, enabled: false, available: true },
    'disabled',
  );
}
