// The skills a server offers as resources and prompts: those of the stores, then those agents keep.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256, systemErrorCode } from '../../base/files/index.ts';
import { listSkills } from '../../make/compile/index.ts';
import {
  canonicalPath,
  hasSkillFile,
  installedRoots,
  type ResolveContext,
  resolveSkill,
  type StoreScope,
} from '../../skill/places/index.ts';
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

/** Every skill once, the project's before the user's; of several with one name each has its own root and label. */
export function listServedSkills(context: ResolveContext, reader: SkillReader): ServedSkill[] {
  const found = new Map<string, StoreScope>();
  const installed = new Map<string, StoreScope>();
  for (const { base, dir: root } of installedRoots(context)) {
    const scope = base === context.home ? 'user' : 'project';
    for (const name of namesIn(root)) orSkip(() => addInstalled(join(root, name), scope));
  }
  for (const { source_path: dir, scope } of listSkills(context, { checkObsolete: false }))
    orSkip(() => {
      if (!hasSkillFile(dir)) return;
      const real = canonicalPath(dir);
      // A skill that an agent keeps in the project is the project's, wherever it is compiled.
      if (!found.has(real)) found.set(real, installed.get(real) === 'project' ? 'project' : scope);
    });
  for (const [dir, scope] of installed) if (!found.has(dir)) found.set(dir, scope);
  function addInstalled(dir: string, scope: StoreScope): void {
    if (!hasSkillFile(dir)) return;
    // A stub stands for its source.
    const real = canonicalPath(resolveSkill(dir, context).dir);
    if (!installed.has(real)) installed.set(real, scope);
  }
  reader.retain(new Set(found.keys()));
  return nameEach(found, reader);
}

function nameEach(found: ReadonlyMap<string, StoreScope>, reader: SkillReader): ServedSkill[] {
  const roots = new Set<string>();
  const labels = new Set<string>();
  const take = (used: Set<string>, candidates: readonly string[]): string => {
    const free = candidates.find((candidate) => !used.has(candidate))!;
    used.add(free);
    return free;
  };
  const inOrder = [...found].sort(([, a], [, b]) => (a === b ? 0 : a === 'project' ? -1 : 1));
  return inOrder.flatMap(([dir, scope]) => {
    const manifest = reader.manifest(dir);
    if (manifest === undefined) return [];
    const { name: written } = manifest.frontmatter;
    const name = typeof written === 'string' ? written : basename(dir);
    // No skill is called ~something, so this is nobody else's place.
    const mark = `~${sha256(dir).slice(0, 12)}`;
    const place = encodeURIComponent(name);
    const root = take(roots, [`skill://${scope}/${place}`, `skill://${scope}/${mark}/${place}`]);
    const label = take(labels, [name, `${scope}:${name}`, `${scope}:${mark}:${name}`]);
    return [{ ...manifest, dir, name, root, label }];
  });
}

/** A skill that cannot be reached is not offered; `skc lint` says what is wrong with it. */
function orSkip(look: () => unknown): void {
  try {
    look();
  } catch (error) {
    if (!(error instanceof SkillwrightError) && systemErrorCode(error) === undefined) throw error;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.startsWith('.'));
  } catch {
    // Most agents keep nothing here.
    return [];
  }
}
