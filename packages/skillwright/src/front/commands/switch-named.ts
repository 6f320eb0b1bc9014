// Switching skills on and off by name, for the commands, the picker and hosts.

import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { recordsNamed } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import {
  entryOfPlace,
  type StoreScope,
  type SwitchedSkills,
  switchSkills,
  type Workspace,
} from '../../skill/workspace/index.ts';

interface KnownSkills {
  readonly skills: readonly SkillRecord[];
}

/** What is to be switched, and where that is written: the project where there is one, else the user, unless told. */
export interface SwitchRequest {
  readonly names: readonly string[];
  readonly enabled: boolean;
  readonly scope?: StoreScope | undefined;
  /** Names that no skill has are switched as they are written, instead of refused. */
  readonly unknown?: boolean;
  /** Writes nothing. */
  readonly dryRun?: boolean;
}

/** The skills of a name, which may be written as in a message: `$name`. */
export function recordsMeant(catalog: KnownSkills, word: string): readonly SkillRecord[] {
  return recordsNamed(catalog, word.replace(/^\$/, ''));
}

/**
 * Switches skills, all or none. E001 for a name that no skill has; a skill that is off may be switched on although it is
 * gone.
 */
export function switchNamed(
  { names, enabled, scope, unknown = false, dryRun = false }: SwitchRequest,
  catalog: KnownSkills,
  workspace: Workspace,
): SwitchedSkills {
  const { off: switchedOff, stores } = workspace;
  const off = switchedOff.names;
  const meant = names.flatMap((word) => {
    const wanted = word.replace(/^\$/, '');
    const written = enabled ? off.filter((name) => foldText(name) === foldText(wanted)) : [];
    const records = recordsMeant(catalog, word);
    const places = enabled
      ? records.flatMap(({ dir }) => stores.map((store) => entryOfPlace(dir, store)))
      : [];
    const found = [
      ...written,
      ...records.map(({ name }) => name),
      ...places.filter((place) => off.includes(place)),
    ];
    if (found.length > 0) return [...new Set(found)];
    if (unknown) return [word];
    const [candidate] = suggest(word, [...catalog.skills.map(({ name }) => name), ...off]);
    const help =
      candidate === undefined ? "run 'skc skills --json' for the names" : `did you mean ${candidate}?`;
    throw SkillwrightError.of('E001', { skill: word }, { help });
  });
  const store = workspace.store(scope);
  const others = workspace.stores.filter((other) => other !== store);
  return switchSkills(meant, enabled, { store, others, dryRun });
}
