// Switches skills on and off by name, for the commands, the picker and hosts.

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

/** The skills to switch, and the scope to save in: by default the project, or the user outside a project. */
interface SwitchRequest {
  readonly names: readonly string[];
  readonly enabled: boolean;
  readonly scope?: StoreScope | undefined;
  /** Accepts names that no skill has. */
  readonly unknown?: boolean;
  /** Writes nothing. */
  readonly dryRun?: boolean;
}

/** The skills with a name, which may be written `$name` as in a message. */
export function recordsMeant(catalog: KnownSkills, word: string): readonly SkillRecord[] {
  return recordsNamed(catalog, word.replace(/^\$/, ''));
}

/**
 * Switches all named skills or none. E001 for a name that no skill has, except to switch on a skill that was deleted
 * while off.
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
      candidate === undefined ? "run 'skc list --all' for the names" : `did you mean ${candidate}?`;
    throw SkillwrightError.of('E001', { skill: word }, { help });
  });
  const store = workspace.store(scope);
  const others = workspace.stores.filter((other) => other !== store);
  return switchSkills(meant, enabled, { store, others, dryRun });
}
