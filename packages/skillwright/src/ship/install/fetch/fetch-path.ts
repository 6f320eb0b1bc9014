// Skills from a local directory.

import { basename } from 'node:path';
import type { FetchedSource, SkillSource } from '../source/fetched-source.ts';
import { type StagingWorld, stageSkills } from './staging.ts';

/** Copies the skills of a directory, so that the scanned files are the installed ones. */
export function fetchPath(
  source: Extract<SkillSource, { kind: 'path' }>,
  world: StagingWorld,
): FetchedSource {
  return stageSkills(source.path, { source, resolution: {}, rootName: basename(source.path) }, world);
}
