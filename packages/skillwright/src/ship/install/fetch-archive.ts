// Skills of an archive: a file of this machine, or one on the web.

import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { discardTemporary, readError, tooLarge } from '../../base/files/index.ts';
import type { FetchContext } from './fetch-context.ts';
import { checkPinned, digestFile, downloadOptions, makeFetcher, unpack } from './fetch-download.ts';
import { stageSkills, withStaging } from './fetch-staging.ts';
import type { FetchedSource, Resolution, SkillSource } from './fetched-source.ts';

/** Fetches and unpacks an archive. With a digest in the resolution, E204 when the archive has another one. */
export function fetchArchive(
  source: Extract<SkillSource, { kind: 'archive' }>,
  context: FetchContext,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  return withStaging(context, async (staging) => {
    const { location } = source;
    const url = URL.canParse(location) && /^https?:/i.test(location) ? new URL(location) : undefined;
    const name = basename(url === undefined ? location : decodeURIComponentSafely(url.pathname));
    const file = url === undefined ? location : join(staging.dir, 'archive');
    const digest =
      url === undefined ? await digestLocal(location, context) : await download(url, file, context);
    checkPinned(location, { pinned: resolution.digest, received: digest });
    const unpacked = join(staging.dir, 'unpacked');
    const { root } = await unpack(file, unpacked, { context, label: name });
    if (url !== undefined) discardTemporary(file);
    const rootName = name.replace(/\.(?:tar\.gz|tgz|tar|zip|skill)$/i, '');
    const facts = { source, resolution: { digest }, verified: resolution.digest !== undefined, rootName };
    const fetched = stageSkills(root, facts, { context, staging });
    discardTemporary(unpacked);
    return fetched;
  });
}

async function download(url: URL, file: string, context: FetchContext): Promise<string> {
  const { sha256 } = await makeFetcher(context).download(url, file, downloadOptions(url.href, context));
  return `sha256:${sha256}`;
}

async function digestLocal(file: string, { config }: FetchContext): Promise<string> {
  const maxBytes = config.network.max_bytes;
  try {
    const status = statSync(file);
    if (!status.isFile()) throw SkillwrightError.of('E015', { path: file, why: 'not a regular file' });
    if (status.size > maxBytes) throw tooLarge(file, maxBytes);
  } catch (error) {
    throw readError(file, error);
  }
  return digestFile(file);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
