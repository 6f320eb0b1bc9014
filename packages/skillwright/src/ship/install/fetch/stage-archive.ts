// From an archive to the skills in it.

import { join } from 'node:path';
import { discardTemporary, isInside } from '../../../base/files/index.ts';
import type { FetchedSource } from '../source/fetched-source.ts';
import { unpack } from './download.ts';
import { type StagedTree, type StagingWorld, stageSkills } from './staging.ts';

/**
 * The fetched source that an archive makes. `describe` says what is known of its content, which begins at `root`. A file
 * that was downloaded into the staging directory goes.
 */
export async function stageArchive(
  file: string,
  { label, describe }: { label: string; describe(root: string): StagedTree },
  { context, staging }: StagingWorld,
): Promise<FetchedSource> {
  const unpacked = join(staging.dir, 'unpacked');
  const { root } = await unpack(file, unpacked, { context, label });
  if (isInside(staging.dir, file)) discardTemporary(file);
  const fetched = stageSkills(root, describe(root), { context, staging });
  discardTemporary(unpacked);
  return fetched;
}
