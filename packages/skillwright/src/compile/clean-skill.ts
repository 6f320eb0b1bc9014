// Removing what a build made: stub, manifest, index, and the links and copies that were deployed.

import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { systemErrorCode, writeError } from '../files/system-error.ts';
import { indexFileName } from '../index/index-path.ts';
import { readBuildManifest, readSourcePath } from '../places/build-manifest.ts';
import { findProject, OWN_DIRECTORY } from '../places/find-project.ts';
import { canonicalPath } from '../places/locate-runtime.ts';
import { resolveSkill } from '../places/resolve-skill.ts';
import { storePaths } from '../places/store-paths.ts';
import { agents } from './agents.ts';
import { type TargetContext, userDirectory } from './resolve-targets.ts';

/** What was removed. */
export interface CleanedSkill {
  removed: string[];
}

/** Cleans a skill by name or path, also one whose source is gone. E001 or E010 when there is no such skill. */
export function cleanNamedSkill(word: string, context: TargetContext): CleanedSkill {
  const project = findProject(context.cwd, context.home);
  const bases = [...(project === undefined ? [] : [project]), context.home].map(
    (base) => storePaths(base).runtime,
  );
  const source = findSource(word, context);
  const runtimes = bases.flatMap((base) => runtimesIn(base, context.home));
  const meant = runtimes.filter((runtime) =>
    source === undefined ? runtime.name === word : runtime.source === source,
  );
  if (source === undefined && meant.length === 0) throw SkillwrightError.of('E001', { skill: word });
  return { removed: meant.flatMap((runtime) => cleanRuntime(runtime, { context, project })) };
}

interface Runtime {
  readonly dir: string;
  readonly name: string;
  /** Canonical where it still exists. */
  readonly source: string;
}

function findSource(word: string, context: TargetContext): string | undefined {
  try {
    return canonicalPath(resolveSkill(word, context).dir);
  } catch (error) {
    if (error instanceof SkillwrightError && error.code === 'E001') return undefined;
    throw error;
  }
}

function runtimesIn(base: string, home: string): Runtime[] {
  if (!existsSync(base)) return [];
  return readdirSync(base).flatMap((name) => {
    const dir = join(base, name);
    const manifest = readBuildManifest(dir);
    return manifest === undefined
      ? []
      : [{ dir, name, source: realPath(readSourcePath(manifest, dir, home)) }];
  });
}

/** The access log stays; a directory goes only when nothing is left in it. */
function cleanRuntime(
  runtime: Runtime,
  options: { context: TargetContext; project: string | undefined },
): string[] {
  const removed: string[] = [];
  const own = join(runtime.dir, OWN_DIRECTORY);
  const made = readBuildManifest(runtime.dir)?.source_path;
  try {
    for (const place of deployedPlaces(runtime, options)) {
      const isCopy = !lstatSync(place).isSymbolicLink();
      if (isCopy && readBuildManifest(place)?.source_path !== made) continue;
      rmSync(place, { recursive: isCopy });
      removed.push(place);
    }
    for (const file of [
      join(runtime.dir, 'SKILL.md'),
      join(own, indexFileName(runtime.source)),
      join(own, 'manifest.json'),
    ]) {
      if (!existsSync(file)) continue;
      rmSync(file);
      removed.push(file);
    }
    for (const directory of [own, runtime.dir]) removeIfEmpty(directory);
  } catch (error) {
    throw writeError(runtime.dir, error);
  }
  return removed;
}

/** Links to the runtime directory, and directories skc made, of this name in any agent's directory. */
function deployedPlaces(
  runtime: Runtime,
  { context, project }: { context: TargetContext; project: string | undefined },
): string[] {
  const directories = new Set(
    agents.flatMap((agent) => [
      userDirectory(agent, context),
      ...(project === undefined ? [] : [join(project, agent.project)]),
    ]),
  );
  return [...directories]
    .map((directory) => join(directory, runtime.name))
    .filter((place) => isOurs(place, runtime.dir));
}

function isOurs(place: string, runtimeDir: string): boolean {
  const status = lstatSync(place, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (!status.isSymbolicLink()) return status.isDirectory() && readBuildManifest(place) !== undefined;
  const target = resolve(dirname(place), readlinkSync(place));
  return target === runtimeDir || realPath(target) === realPath(runtimeDir);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A link to nothing is compared by its spelling.
    return path;
  }
}

function removeIfEmpty(directory: string): void {
  try {
    if (readdirSync(directory).length === 0) rmdirSync(directory);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}
