// Fetches a source into a staging directory. Each kind has its own file, loaded on demand.

import { basename } from 'node:path';
import type { FetchedSource, Resolution, SkillSource } from '../source/fetched-source.ts';
import type { FetchContext } from './fetch-context.ts';
import { type StagingWorld, stageSkills, withStaging } from './staging.ts';

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
