// Stages the skills of an archive.

import { join } from 'node:path';
import { discardTemporary, isInside } from '../../../base/files/index.ts';
import type { FetchedSource } from '../source/fetched-source.ts';
import { unpack } from './download.ts';
import { type StagedTree, type StagingWorld, stageSkills } from './staging.ts';

/**
 * Makes a fetched source from an archive; `tree` holds the known facts. An archive downloaded into the staging directory
 * is removed.
 */
export async function stageArchive(
  file: string,
  { label, tree }: { label: string; tree: StagedTree },
  { context, staging }: StagingWorld,
): Promise<FetchedSource> {
  const unpacked = join(staging.dir, 'unpacked');
  const { root } = await unpack(file, unpacked, { context, label });
  if (isInside(staging.dir, file)) discardTemporary(file);
  const fetched = stageSkills(root, tree, { context, staging });
  discardTemporary(unpacked);
  return fetched;
}
