// Skills of a directory on this machine.

import { basename } from 'node:path';
import type { FetchedSource, SkillSource } from '../source/fetched-source.ts';
import { type StagingWorld, stageSkills } from './staging.ts';

/** Copies the skills of a directory, so that what is judged is what is installed. */
export function fetchPath(
  source: Extract<SkillSource, { kind: 'path' }>,
  world: StagingWorld,
): FetchedSource {
  return stageSkills(source.path, { source, resolution: {}, rootName: basename(source.path) }, world);
}
