// Downloads on the way to a staging directory.

import { createReadStream } from 'node:fs';
import { makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { createSha256, formatBytes, readError } from '../../base/files/index.ts';
import { createFetcher, type Fetcher, type FetchOptions, fetcherSettings } from '../network/index.ts';
import { archiveLimits } from './archive-limits.ts';
import { type ExtractedArchive, extractArchive } from './extract-archive.ts';
import type { FetchContext } from './fetch-context.ts';

/** The fetcher that the configuration asks for. */
export function makeFetcher({ config }: FetchContext): Fetcher {
  return createFetcher(fetcherSettings(config.network));
}

/** Options of a download whose progress is told under a label. */
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

/** Unpacks an archive below the limits of the configuration, and tells its progress under a label. */
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

/** Tells how far something is, each step once. Part of a label may come from a server. */
function createTeller(label: string, context: FetchContext): (step: string) => void {
  let shown = '';
  return (step) => {
    if (step !== shown) context.progress(makeVisible(`${label}: ${step}`));
    shown = step;
  };
}

/** `sha256:<hex>` of a file. E015 when it cannot be read. */
export async function digestFile(file: string): Promise<string> {
  const hasher = createSha256();
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hasher.update(chunk);
  } catch (error) {
    throw readError(file, error);
  }
  return `sha256:${hasher.digest('hex')}`;
}

/** E204 when something is no longer what it was. */
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
