// Downloads, unpacks and stages archives.

import { join } from 'node:path';
import { hideSecrets, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { discardTemporary, formatBytes, isInside } from '../../../base/files/index.ts';
import { createFetcher, type Fetcher, type FetchOptions, fetcherSettings } from '../../network/index.ts';
import { archiveLimits } from '../archive/entry-guard.ts';
import { type ExtractedArchive, extractArchive } from '../archive/extract-archive.ts';
import type { FetchContext, FetchedSource } from '../source/fetched-source.ts';
import { type StagedTree, type StagingWorld, stageSkills } from './fetch-source.ts';

/** The fetcher, set up from the configuration. */
export function makeFetcher(context: Pick<FetchContext, 'config' | 'progress'>): Fetcher {
  return createFetcher({
    ...fetcherSettings(context.config.network),
    onWait: ({ url, milliseconds }) =>
      context.progress(
        makeVisible(`${new URL(url).host} is busy; retrying in ${Math.ceil(milliseconds / 1000)} s`),
      ),
  });
}

/** Options of a download that reports progress under a label. */
export function downloadOptions(
  label: string,
  context: FetchContext,
): Pick<FetchOptions, 'signal'> & Required<Pick<FetchOptions, 'onProgress'>> {
  const tell = createTeller(label, context);
  return {
    signal: context.signal,
    onProgress: ({ received, total }) =>
      tell(`${formatBytes(received)}${total === undefined ? '' : ` of ${formatBytes(total)}`}`),
  };
}

/** Unpacks an archive within the configured limits, and reports progress under a label. */
export function unpack(
  file: string,
  dir: string,
  { context, label }: { context: FetchContext; label: string },
): Promise<ExtractedArchive> {
  const tell = createTeller(label, context);
  return extractArchive(file, dir, {
    limits: archiveLimits(context.config.network),
    signal: context.signal,
    onProgress: (bytes) => tell(`unpacked ${formatBytes(bytes)}`),
  });
}

/** Reports progress, each step once. Part of a label may come from a server. */
function createTeller(label: string, context: FetchContext): (step: string) => void {
  let shown = '';
  return (step) => {
    if (step !== shown) context.progress(makeVisible(hideSecrets(`${label}: ${step}`)));
    shown = step;
  };
}

/** E204 when content differs from the pinned digest. */
export function checkPinned(
  what: string,
  { pinned, received }: { pinned: string | undefined; received: string },
): void {
  if (pinned === undefined || pinned === received) return;
  throw SkillwrightError.of(
    'E204',
    { what },
    { detail: `  expected ${pinned}\n  received ${received}`, data: { promised: pinned, received } },
  );
}

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
