// Asks a source for its current version, without downloading it.

import type { FetchContext, Resolution, SkillSource, SourceNotice } from '../source/fetched-source.ts';
import { withStaging } from './fetch-source.ts';

/** A source's answer. */
export interface SourceAnswer {
  /** The current resolution. */
  readonly wanted: Resolution;
  /** The newest version, ignoring the requested range; undefined when the source does not say. */
  readonly latest: Resolution | undefined;
  /** A label for it while its digest is unknown. */
  readonly label?: string | undefined;
  /** Warnings about a version. */
  noticesOf?(version: string | undefined): readonly SourceNotice[];
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
    case 'archive':
      return (await import('./fetch-archive.ts')).askArchive(source, context);
    default:
      return undefined;
  }
}
