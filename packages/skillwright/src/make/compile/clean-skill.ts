// Removing what a build made: stub, manifest, index, and the links and copies that were deployed.

import { existsSync, lstatSync, readdirSync, readlinkSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isMissing, realPath, systemErrorCode, writeError } from '../../base/files/index.ts';
import { indexFileName } from '../../read/index/index.ts';
import { agents, type TargetContext, userDirectory } from '../../skill/agents/index.ts';
import {
  canonicalPath,
  findProject,
  OWN_DIRECTORY,
  type ResolvedSkill,
  readBuildManifest,
  readSourcePath,
  readSpelledPath,
  resolveSkill,
  runtimeBaseOf,
  storePaths,
} from '../../skill/places/index.ts';
import { isPristineCopy } from './is-pristine-copy.ts';
import { removeLeftovers } from './remove-leftovers.ts';

/** What was removed, and copies that stay because somebody has changed them. */
export interface CleanedSkill {
  removed: string[];
  kept: string[];
}

/** Cleans a skill by name or path, also one whose source is gone. E001 or E010 when there is no such skill. */
export function cleanNamedSkill(word: string, context: TargetContext): CleanedSkill {
  const skill = findSource(word, context);
  const project = findProject(context.cwd, context.home);
  const bases = new Set([
    ...(project === undefined ? [] : [storePaths(project).runtime]),
    ...(skill === undefined ? [] : [runtimeBaseOf(skill, context).dir]),
    storePaths(context.home).runtime,
  ]);
  const meant = [...bases]
    .flatMap((base) => [
      ...runtimesIn(base, context.home, skill?.dir),
      ...vanishedRuntime(base, skill?.dir ?? word, { context, project }),
    ])
    .filter((runtime) => (skill === undefined ? runtime.name === word : runtime.source === skill.dir));
  if (skill === undefined && meant.length === 0) throw SkillwrightError.of('E001', { skill: word });
  const cleaned = meant.map((runtime) => cleanRuntime(runtime, { context, project }));
  return {
    removed: cleaned.flatMap(({ removed }) => removed),
    kept: cleaned.flatMap(({ kept }) => kept),
  };
}

/** A runtime directory and the skill it was compiled from. */
export interface Runtime {
  readonly dir: string;
  readonly name: string;
  /** Canonical where it still exists. */
  readonly source: string;
  /** False for an index that lies in the runtime directory of another skill. */
  readonly isOwner: boolean;
}

/** The skill itself; undefined when it is not there, or only its stub is. */
function findSource(word: string, context: TargetContext): ResolvedSkill | undefined {
  try {
    const found = resolveSkill(word, context);
    const dir = canonicalPath(found.dir);
    return readBuildManifest(dir) === undefined ? { ...found, dir } : undefined;
  } catch (error) {
    if (error instanceof SkillwrightError && error.code === 'E001') return undefined;
    throw error;
  }
}

function runtimesIn(base: string, home: string, source: string | undefined): Runtime[] {
  if (!existsSync(base)) return [];
  return readdirSync(base).flatMap((name): Runtime[] => {
    const dir = join(base, name);
    const manifest = readBuildManifest(dir);
    const owner = manifest === undefined ? undefined : realPath(readSourcePath(manifest, dir, home));
    if (
      source !== undefined &&
      owner !== source &&
      existsSync(join(dir, OWN_DIRECTORY, indexFileName(source)))
    )
      return [{ dir, name, source, isOwner: manifest === undefined }];
    return owner === undefined ? [] : [{ dir, name, source: owner, isOwner: true }];
  });
}

/** A runtime directory somebody removed by hand, while links to it are still there. */
function vanishedRuntime(
  base: string,
  source: string,
  options: { context: TargetContext; project: string | undefined },
): Runtime[] {
  const name = basename(source);
  const runtime = { dir: join(base, name), name, source, isOwner: true };
  return !existsSync(runtime.dir) && deployedPlaces(runtime, options).length > 0 ? [runtime] : [];
}

/** Cleans one runtime directory. The access log stays; a directory goes only when nothing is left in it. */
export function cleanRuntime(
  runtime: Runtime,
  options: { context: TargetContext; project: string | undefined },
): CleanedSkill {
  const removed: string[] = [];
  const kept: string[] = [];
  const own = join(runtime.dir, OWN_DIRECTORY);
  try {
    if (runtime.isOwner) {
      for (const place of recordedPlaces(runtime, options.context.home))
        removed.push(...removeLeftovers(dirname(place), { names: [runtime.name] }));
      for (const place of deployedPlaces(runtime, options)) {
        const isLink = lstatSync(place).isSymbolicLink();
        if (isLink || isPristineCopy(place)) {
          rmSync(place, { recursive: !isLink });
          removed.push(place);
        } else kept.push(place);
      }
    }
    // The manifest goes last: what is interrupted before can be cleaned again.
    const files = [join(own, indexFileName(runtime.source))];
    if (runtime.isOwner) files.unshift(join(runtime.dir, 'SKILL.md'));
    if (runtime.isOwner) files.push(join(own, 'manifest.json'));
    for (const file of files) {
      if (!existsSync(file)) continue;
      rmSync(file);
      removed.push(file);
    }
    removed.push(
      ...removeLeftovers(runtime.dir, { names: ['SKILL.md'] }),
      ...removeLeftovers(own, { names: ['manifest.json', indexFileName(runtime.source)] }),
    );
    for (const directory of [own, runtime.dir]) removeIfEmpty(directory);
  } catch (error) {
    throw writeError(runtime.dir, error);
  }
  return { removed, kept };
}

/** Links to the runtime directory, and copies of it: where they were put, and where agents would look for them. */
function deployedPlaces(
  runtime: Runtime,
  { context, project }: { context: TargetContext; project: string | undefined },
): string[] {
  const places = new Set([
    ...recordedPlaces(runtime, context.home),
    ...agents.flatMap((agent) => [
      join(userDirectory(agent, context), runtime.name),
      ...(project === undefined ? [] : [join(project, agent.project, runtime.name)]),
    ]),
  ]);
  return [...places].filter((place) => isDeploymentOf(runtime, place, context.home));
}

function recordedPlaces(runtime: Runtime, home: string): string[] {
  const recorded = readBuildManifest(runtime.dir)?.deployed ?? [];
  return recorded.map((place) => readSpelledPath(place, runtime.dir, home));
}

/** Whether a link to a runtime directory, or a copy of what is in it, stands at a place. */
export function isDeploymentOf(
  runtime: Pick<Runtime, 'dir' | 'source'>,
  place: string,
  home: string,
): boolean {
  const status = statusAt(place);
  if (status === undefined) return false;
  if (status.isSymbolicLink()) {
    const target = resolve(dirname(place), readlinkSync(place));
    return target === runtime.dir || realPath(target) === realPath(runtime.dir);
  }
  const manifest = status.isDirectory() ? readBuildManifest(place) : undefined;
  return manifest !== undefined && realPath(readSourcePath(manifest, place, home)) === runtime.source;
}

function statusAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A part of the path is a file, or no file system can name it: nothing was deployed there.
    if (isMissing(error) || systemErrorCode(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function removeIfEmpty(directory: string): void {
  try {
    if (readdirSync(directory).length === 0) rmdirSync(directory);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
