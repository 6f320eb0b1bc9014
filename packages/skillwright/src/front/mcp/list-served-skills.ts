// The skills a server offers as resources and prompts: those of the catalog that an agent may see.

import { sha256 } from '../../base/files/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { SkillManifest, SkillReader } from './skill-reader.ts';

/** One skill. */
export interface ServedSkill extends SkillManifest {
  /** Canonical directory of the source. */
  readonly dir: string;
  readonly name: string;
  /** `skill://project/pdf-forms`: files are below it. */
  readonly root: string;
  /** What users call it: the name, with the scope before it when another skill has that name. */
  readonly label: string;
}

/** Every skill once, in the order of the catalog; of several with one name each has its own root and label. */
export function nameServedSkills(records: readonly SkillRecord[], reader: SkillReader): ServedSkill[] {
  const roots = new Set<string>();
  const labels = new Set<string>();
  const take = (used: Set<string>, candidates: readonly string[]): string => {
    const free = candidates.find((candidate) => !used.has(candidate))!;
    used.add(free);
    return free;
  };
  reader.retain(new Set(records.map(({ dir }) => dir)));
  return records.flatMap(({ dir, name, scope }) => {
    const manifest = reader.manifest(dir);
    if (manifest === undefined) return [];
    // No skill is called ~something, so this is nobody else's place.
    const mark = `~${sha256(dir).slice(0, 12)}`;
    const place = encodeURIComponent(name);
    const root = take(roots, [`skill://${scope}/${place}`, `skill://${scope}/${mark}/${place}`]);
    const label = take(labels, [name, `${scope}:${name}`, `${scope}:${mark}:${name}`]);
    return [{ ...manifest, dir, name, root, label }];
  });
}
