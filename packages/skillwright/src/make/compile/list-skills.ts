// The skills of the stores and of the runtime directories, and how they stand.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes, hashTree, readInside, realPath, sha256, walkTree } from '../../base/files/index.ts';
import { readFrontmatter, readSkillText } from '../../skill/format/index.ts';
import {
  findProject,
  hasSkillFile,
  type ResolveContext,
  readBuildManifest,
  readSourcePath,
  type StoreScope,
  storePaths,
} from '../../skill/places/index.ts';

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
  const stores = [
    ...(project === undefined ? [] : [{ scope: 'project' as const, base: project }]),
    { scope: 'user' as const, base: context.home },
  ];
  const built = stores.map(({ scope, base }) => listBuilt(scope, base, { ...options, home: context.home }));
  // A skill of the project may have been compiled for the user.
  const sources = new Set(built.flat().map(({ source_path }) => realPath(source_path)));
  return stores.flatMap(({ scope, base }, index) =>
    [...built[index]!, ...listNotBuilt(scope, base, sources)].sort(
      (a, b) => compareBytes(a.name, b.name) || compareBytes(a.source_path, b.source_path),
    ),
  );
}

function listBuilt(
  scope: StoreScope,
  base: string,
  options: { checkObsolete: boolean; home: string },
): ListedSkill[] {
  const { runtime } = storePaths(base);
  return namesIn(runtime).flatMap((name): ListedSkill[] => {
    const runtimePath = join(runtime, name);
    const manifest = readBuildManifest(runtimePath);
    if (manifest === undefined) return [];
    const source = readSourcePath(manifest, runtimePath, options.home);
    const isObsolete = !isSkill(source) || (options.checkObsolete && hashOf(source) !== manifest.source_hash);
    const status = isObsolete ? 'obsolete' : 'normal';
    return [{ name: manifest.skill, scope, status, source_path: source, runtime_path: runtimePath }];
  });
}

function listNotBuilt(scope: StoreScope, base: string, built: ReadonlySet<string>): ListedSkill[] {
  const { skills } = storePaths(base);
  return namesIn(skills).flatMap((name): ListedSkill[] => {
    const source = join(skills, name);
    if (!isSkill(source) || built.has(realPath(source))) return [];
    const own = nameOf(source) ?? name;
    return [{ name: own, scope, status: 'not-built', source_path: source, runtime_path: null }];
  });
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
