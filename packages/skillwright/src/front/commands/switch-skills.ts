// Switching skills on and off by name, for the commands and the picker.

import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import {
  readSkillState,
  type SkillCatalog,
  type SwitchedSkills,
  setSkillEnabled,
} from '../../read/catalog/index.ts';
import type { StoreScope } from '../../skill/places/index.ts';
import type { CommandContext } from './command-context.ts';

/** What is to be switched, and where that is written: the project where there is one, else the user, unless told. */
export interface SwitchRequest {
  readonly names: readonly string[];
  readonly enabled: boolean;
  readonly scope?: StoreScope | undefined;
}

/**
 * Switches skills, all or none. E001 for a name that no skill has; a skill that is off may be switched on although it is
 * gone.
 */
export function switchSkills(
  { names, enabled, scope }: SwitchRequest,
  catalog: SkillCatalog,
  context: CommandContext,
): SwitchedSkills {
  const known = new Map(catalog.skills.map(({ name }) => [foldText(name), name]));
  const off = (['project', 'user'] as const).flatMap((of) => readSkillState(of, context).disabled);
  if (enabled) for (const name of off) known.set(foldText(name), name);
  const meant = names.map((word) => {
    // As it is mentioned: `$name`.
    const name = known.get(foldText(word.replace(/^\$/, '')));
    if (name !== undefined) return name;
    const [candidate] = suggest(word, known.values());
    const help =
      candidate === undefined ? "run 'skc skills --json' for the names" : `did you mean ${candidate}?`;
    throw SkillwrightError.of('E001', { skill: word }, { help });
  });
  const { cwd, home, env } = context;
  return setSkillEnabled(meant, enabled, { cwd, home, env, ...(scope === undefined ? {} : { scope }) });
}
