// Fetching: from a source to skills in a staging directory. Each kind is a file of its own, loaded when it is needed.

import type { FetchContext } from './fetch-context.ts';
import type { FetchedSource, Resolution, SkillSource } from './fetched-source.ts';

/**
 * Fetches a source. With a `resolution` exactly that commit, version or digest is fetched again: E201 when it is gone,
 * E204 when it is something else by now. Every failure leaves no staging directory behind.
 */
export async function fetchSource(
  source: SkillSource,
  context: FetchContext,
  resolution?: Resolution,
): Promise<FetchedSource> {
  switch (source.kind) {
    case 'path':
      return (await import('./fetch-path.ts')).fetchPath(source, context);
    case 'git':
      return (await import('./fetch-git.ts')).fetchGit(source, context, resolution);
    case 'npm':
      return (await import('./fetch-npm.ts')).fetchNpm(source, context, resolution);
    case 'archive':
      return (await import('./fetch-archive.ts')).fetchArchive(source, context, resolution);
    case 'well-known':
      return (await import('./fetch-well-known.ts')).fetchWellKnown(source, context, resolution);
    case 'registry':
      return (await import('./fetch-registry.ts')).fetchRegistry(source, context, resolution);
  }
}
