// Fetches a source into a staging directory. Each kind has its own file, loaded on demand.

import { basename, join } from 'node:path';
import {
  type Diagnostic,
  diagnosticOf,
  orUndefined,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import { compareBytes, makePrivateDirectory } from '../../../base/files/index.ts';
import { openSkill, requireUsable, SKILL_FILE, skillAt } from '../../../skill/skill/index.ts';
import type { Notice } from '../../results/index.ts';
import { type ArchiveLimits, archiveLimits } from '../archive/entry-guard.ts';
import { type FoundSkills, findSourceSkills } from '../find/find-source-skills.ts';
import { digestOf } from '../lock/lock.ts';
import { integrityOf } from '../place/stored-files.ts';
import type {
  FetchContext,
  FetchedSkill,
  FetchedSource,
  Resolution,
  SkillSource,
} from '../source/fetched-source.ts';
import { copySkill } from './copy-skill.ts';

/**
 * Fetches a source. With a `resolution` exactly that commit, version or digest is fetched again: E201 when it is gone,
 * E204 when it has changed. A failure leaves no staging directory behind.
 */
export function fetchSource(
  source: SkillSource,
  context: FetchContext,
  resolution?: Resolution,
): Promise<FetchedSource> {
  return withStaging(context, (staging) => fetchKind(source, { context, staging }, resolution));
}

async function fetchKind(
  source: SkillSource,
  world: StagingWorld,
  resolution: Resolution | undefined,
): Promise<FetchedSource> {
  switch (source.kind) {
    case 'path':
      // Copied, so that the scanned files are the installed ones.
      return stageSkills(source.path, { source, resolution: {}, rootName: basename(source.path) }, world);
    case 'git':
      return (await import('./git/fetch-git.ts')).fetchGit(source, world, resolution);
    case 'npm':
      return (await import('./npm/fetch-npm.ts')).fetchNpm(source, world, resolution);
    case 'archive':
      return (await import('./fetch-archive.ts')).fetchArchive(source, world, resolution);
    case 'well-known':
      return (await import('./fetch-well-known.ts')).fetchWellKnown(source, world, resolution);
    case 'registry':
      return (await import('./fetch-registry.ts')).fetchRegistry(source, world, resolution);
  }
}

/** One staging directory. */
interface Staging {
  readonly dir: string;
  release(): void;
}

/** Runs `work` with a new staging directory, which is removed when it fails. */
async function withStaging<T>(
  context: Pick<FetchContext, 'stagingDir'>,
  work: (staging: Staging) => Promise<T>,
): Promise<T> {
  const { path: dir, remove } = makePrivateDirectory(context.stagingDir);
  const staging: Staging = { dir, release: () => void orUndefined(remove) };
  try {
    return await work(staging);
  } catch (error) {
    staging.release();
    throw error;
  }
}

/** Naming of a tree's skills. */
interface TreeNames {
  /** Name of the skill at the root if its own name is invalid. */
  readonly rootName?: string | undefined;
  /** Path of the tree inside its source; empty for the root. */
  readonly prefix?: string | undefined;
}

/** Known facts about a tree whose skills are staged. */
export interface StagedTree extends TreeNames {
  readonly source: SkillSource;
  readonly resolution: Resolution;
  readonly verified?: boolean | undefined;
  readonly repository?: string | undefined;
  /** Content left out of the tree. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
}

/** The staging directory and the context of a tree. */
export interface StagingWorld {
  readonly context: FetchContext;
  readonly staging: Staging;
}

/** Makes a fetched source from a tree. */
export function stageSkills(tree: string, facts: StagedTree, world: StagingWorld): FetchedSource {
  const { source, resolution, verified = false, repository } = facts;
  const { skills, diagnostics, plugins } = stageTree(tree, facts, world);
  return {
    source,
    resolution,
    skills,
    ...(plugins.length === 0 ? {} : { plugins }),
    diagnostics: [...(facts.diagnostics ?? []), ...diagnostics],
    verified,
    repository,
    release: () => world.staging.release(),
  };
}

/** Copies the skills of `tree` into the staging directory, each self-contained. One that fails does not hide the rest. */
export function stageTree(
  tree: string,
  { rootName, prefix = '' }: TreeNames,
  { context, staging }: StagingWorld,
): { skills: FetchedSkill[]; diagnostics: Diagnostic[]; plugins: FoundSkills['plugins'] } {
  const limits = archiveLimits(context.config.network);
  const { plugin } = context;
  const { skills: found, diagnostics, plugins } = findSourceSkills(tree, { rootName, plugin });
  const skills: FetchedSkill[] = [];
  for (const skill of found) {
    const { name } = skill;
    const within = [prefix, skill.within].filter((part) => part !== '').join('/');
    try {
      skills.push({ ...stageSkill(skill, { dir: join(staging.dir, 'skills', name), limits }), within });
    } catch (error) {
      if (!(error instanceof SkillwrightError) || error.code === 'E016') throw error;
      const help = error.help ?? `'${name}' is left out`;
      diagnostics.push({ ...diagnosticOf(error), help, data: { ...error.data, skill: name, path: within } });
    }
  }
  return { skills, diagnostics, plugins };
}

/** Copies a skill. Facts read from the source hold for the copy, if its SKILL.md is still the same. */
function stageSkill(
  skill: FoundSkills['skills'][number],
  { dir, limits }: { dir: string; limits: ArchiveLimits },
): FetchedSkill {
  const files: Record<string, string> = {};
  const executable: string[] = [];
  const bytes = copySkill(skill.dir, dir, {
    ...limits,
    onFile(path, file) {
      files[path] = integrityOf(file.bytes);
      if (file.executable) executable.push(path);
    },
  });
  const isSame = files[SKILL_FILE] === `sha256:${skill.digest}`;
  const copy = isSame ? skillAt(skill, { dir, name: skill.name }) : requireUsable(openSkill(dir));
  const paths = Object.keys(files).sort(compareBytes);
  return {
    ...skill,
    ...copy,
    everything: () => ({ entries: paths.map((path) => ({ path, kind: 'file' })), truncated: false }),
    files: () => paths,
    content: {
      digest: digestOf(files),
      files: Object.fromEntries(paths.map((path) => [path, files[path]!])),
      executable: executable.sort(compareBytes),
    },
    bytes,
  };
}

// Asks a source for its current version, without downloading it.

/** A source's answer. */
export interface SourceAnswer {
  /** The current resolution. */
  readonly wanted: Resolution;
  /** The newest version, ignoring the requested range; undefined when the source does not say. */
  readonly latest: Resolution | undefined;
  /** Warnings about a version. */
  noticesOf?(version: string | undefined): readonly Notice[];
}

/**
 * Asks a source about a named skill. Undefined when only fetching can tell. Fails as fetching does. Registries are asked
 * about many skills at once instead, see `askStates`.
 */
export async function askSource(
  source: SkillSource,
  name: string,
  context: FetchContext,
): Promise<SourceAnswer | undefined> {
  switch (source.kind) {
    case 'git': {
      const { askGit } = await import('./git/fetch-git.ts');
      return withStaging(context, async (staging) => {
        const answer = await askGit(source, { context, staging });
        staging.release();
        return answer;
      });
    }
    case 'npm':
      return (await import('./npm/fetch-npm.ts')).askNpm(source, context);
    case 'well-known': {
      const digest = await (await import('./fetch-well-known.ts')).promisedDigest(source, name, context);
      return digest === undefined ? undefined : { wanted: { digest }, latest: { digest } };
    }
    default:
      return undefined;
  }
}
