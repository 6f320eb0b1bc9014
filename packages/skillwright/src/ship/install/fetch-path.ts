// Skills of a directory on this machine.

import { basename } from 'node:path';
import type { FetchContext } from './fetch-context.ts';
import { stageSkills, withStaging } from './fetch-staging.ts';
import type { FetchedSource, SkillSource } from './fetched-source.ts';

/** Copies the skills of a directory, so that what is judged is what is installed. */
export function fetchPath(
  source: Extract<SkillSource, { kind: 'path' }>,
  context: FetchContext,
): Promise<FetchedSource> {
  return withStaging(context, async (staging) =>
    stageSkills(
      source.path,
      { source, resolution: {}, rootName: basename(source.path) },
      { context, staging },
    ),
  );
}
