// The skills a server offers as resources and prompts: those in the catalog that an agent may see.

import { sha256 } from '../../base/files/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { SkillManifest, SkillReader } from './skill-reader.ts';

/** One skill. */
export interface ServedSkill extends SkillManifest {
  /** Canonical directory of the source. */
  readonly dir: string;
  readonly name: string;
  /** Root URI of its files, such as `skill://project/pdf-forms`. */
  readonly root: string;
  /** Name shown to users, with the scope in front when another skill has the same name. */
  readonly label: string;
}

/** Every skill once, in catalog order. Skills that share a name get different roots and labels. */
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
    // Skill names cannot start with ~, so this root is unique.
    const mark = `~${sha256(dir).slice(0, 12)}`;
    const place = encodeURIComponent(name);
    const root = take(roots, [`skill://${scope}/${place}`, `skill://${scope}/${mark}/${place}`]);
    const label = take(labels, [name, `${scope}:${name}`, `${scope}:${mark}:${name}`]);
    return [{ ...manifest, dir, name, root, label }];
  });
}
