// The skills of the stores and of the runtime directories, and how they stand.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes } from '../files/compare-paths.ts';
import { readInside } from '../files/contained-path.ts';
import { hashTree, sha256 } from '../files/hash.ts';
import { walkTree } from '../files/walk-tree.ts';
import { readFrontmatter } from '../format/frontmatter.ts';
import { readSkillText } from '../format/read-skill-text.ts';
import { readBuildManifest, readSourcePath } from '../places/build-manifest.ts';
import { findProject } from '../places/find-project.ts';
import { canonicalPath } from '../places/locate-runtime.ts';
import { hasSkillFile, type ResolveContext } from '../places/resolve-skill.ts';
import { type StoreScope, storePaths } from '../places/store-paths.ts';

/** How a skill stands. `obsolete`: changed or gone since it was built. */
export type SkillStatus = 'normal' | 'not-built' | 'obsolete';

/** One skill of the list. */
export interface ListedSkill {
  name: string;
  scope: StoreScope;
  status: SkillStatus;
  source_path: string;
  /** Null when it is not built. */
  runtime_path: string | null;
}

/** Every skill, the project's before the user's, then by name. Changes are looked for when `checkObsolete` is set. */
export function listSkills(context: ResolveContext, options: { checkObsolete: boolean }): ListedSkill[] {
  const project = findProject(context.cwd, context.home);
  return [
    ...(project === undefined ? [] : listStore('project', project, context.home, options)),
    ...listStore('user', context.home, context.home, options),
  ];
}

function listStore(
  scope: StoreScope,
  base: string,
  home: string,
  options: { checkObsolete: boolean },
): ListedSkill[] {
  const { skills, runtime } = storePaths(base);
  const found = new Map<string, ListedSkill>();
  for (const name of namesIn(runtime)) {
    const runtimePath = join(runtime, name);
    const manifest = readBuildManifest(runtimePath);
    if (manifest === undefined) continue;
    const source = readSourcePath(manifest, runtimePath, home);
    const gone = !isSkill(source);
    const obsolete = gone || (options.checkObsolete && hashOf(source) !== manifest.source_hash);
    const status = obsolete ? 'obsolete' : 'normal';
    const entry = {
      name: manifest.skill,
      scope,
      status,
      source_path: source,
      runtime_path: runtimePath,
    } as const;
    found.set(gone ? source : canonicalPath(source), entry);
  }
  for (const name of namesIn(skills)) {
    const source = join(skills, name);
    if (!isSkill(source) || found.has(canonicalPath(source))) continue;
    const own = nameOf(source) ?? name;
    found.set(source, { name: own, scope, status: 'not-built', source_path: source, runtime_path: null });
  }
  return [...found.values()].sort(
    (a, b) => compareBytes(a.name, b.name) || compareBytes(a.source_path, b.source_path),
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.startsWith('.'));
  } catch {
    // No store yet.
    return [];
  }
}

function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    // A list names what can be read.
    return false;
  }
}

function nameOf(dir: string): string | undefined {
  try {
    const content = readSkillText(dir);
    const name = content.problem === undefined ? readFrontmatter(content.text).data?.name : undefined;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The hash a build of the skill would write down now; undefined when it cannot be read. */
function hashOf(dir: string): string | undefined {
  try {
    const files = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
    return hashTree(
      files.map(({ path }) => {
        const bytes = readInside(dir, path, { maxBytes: Number.MAX_SAFE_INTEGER });
        return { path, sha256: bytes === undefined ? '' : sha256(bytes) };
      }),
    );
  } catch {
    return undefined;
  }
}
