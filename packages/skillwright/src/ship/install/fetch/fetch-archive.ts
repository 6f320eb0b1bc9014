// Skills from an archive: a local file, or one on the web.

import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hideSecrets, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  createSha256,
  decodePercent,
  discardTemporary,
  formatBytes,
  isInside,
  readError,
  tooLarge,
} from '../../../base/files/index.ts';
import { createFetcher, type Fetcher, type FetchOptions, fetcherSettings } from '../../network/index.ts';
import { archiveLimits } from '../archive/entry-guard.ts';
import { type ExtractedArchive, extractArchive } from '../archive/extract-archive.ts';
import type { FetchContext, FetchedSource, Resolution, SkillSource } from '../source/fetched-source.ts';
import { type StagedTree, type StagingWorld, stageSkills } from './fetch-source.ts';

/** Fetches and unpacks an archive. E204 when the resolution has a digest and the archive does not match it. */
export async function fetchArchive(
  source: Extract<SkillSource, { kind: 'archive' }>,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const { location } = source;
  const url = URL.canParse(location) && /^https?:/i.test(location) ? new URL(location) : undefined;
  const name = basename(url === undefined ? location : decodePercent(url.pathname));
  const file = url === undefined ? location : join(staging.dir, 'archive');
  const digest =
    url === undefined ? await digestLocal(location, context) : await download(url, file, context);
  checkPinned(location, { pinned: resolution.digest, received: digest });
  const rootName = name.replace(/\.(?:tar\.gz|tgz|tar|zip|skill)$/i, '');
  const facts = { source, resolution: { digest }, verified: resolution.digest !== undefined, rootName };
  return stageArchive(file, { label: name, tree: facts }, { context, staging });
}

async function download(url: URL, file: string, context: FetchContext): Promise<string> {
  const answer = await makeFetcher(context).download(url, file, downloadOptions(url.href, context));
  return `sha256:${answer.sha256}`;
}

async function digestLocal(file: string, { config }: FetchContext): Promise<string> {
  const maxBytes = config.network.max_bytes;
  const hasher = createSha256();
  try {
    const status = statSync(file);
    if (!status.isFile()) throw SkillwrightError.of('E015', { path: file, why: 'not a regular file' });
    if (status.size > maxBytes) throw tooLarge(file, maxBytes);
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hasher.update(chunk);
  } catch (error) {
    throw readError(file, error);
  }
  return `sha256:${hasher.digest('hex')}`;
}

// Downloads, unpacks and stages archives.

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
