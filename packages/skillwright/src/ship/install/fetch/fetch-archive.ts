// Skills from an archive: a local file, or one on the web.

import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { createSha256, decodePercent, readError, tooLarge } from '../../../base/files/index.ts';
import type { FetchedSource, Resolution, SkillSource } from '../source/fetched-source.ts';
import { lookOfAnswer } from './archive-look.ts';
import { checkPinned, downloadOptions, makeFetcher } from './download.ts';
import type { FetchContext } from './fetch-context.ts';
import { stageArchive } from './stage-archive.ts';
import type { StagingWorld } from './staging.ts';

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
  const { digest, look } =
    url === undefined
      ? { digest: await digestLocal(location, context), look: undefined }
      : await download(url, file, context);
  checkPinned(location, { pinned: resolution.digest, received: digest });
  const rootName = name.replace(/\.(?:tar\.gz|tgz|tar|zip|skill)$/i, '');
  const facts = { source, resolution: { digest }, verified: resolution.digest !== undefined, rootName };
  const fetched = await stageArchive(file, { label: name, tree: facts }, { context, staging });
  return look === undefined ? fetched : { ...fetched, look };
}

async function download(
  url: URL,
  file: string,
  context: FetchContext,
): Promise<{ digest: string; look: string | undefined }> {
  const answer = await makeFetcher(context).download(url, file, downloadOptions(url.href, context));
  return { digest: `sha256:${answer.sha256}`, look: lookOfAnswer(answer) };
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
