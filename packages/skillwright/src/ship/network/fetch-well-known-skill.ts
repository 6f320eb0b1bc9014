// Downloads one published skill into a directory.

import { join } from 'node:path';
import {
  joinInside,
  MAX_TEXT_BYTES,
  removePath,
  sha256,
  temporaryBeside,
  writeNewFile,
} from '../../base/files/index.ts';
import type { Downloaded, Fetcher, FetchOptions } from './fetcher.ts';
import { checkDigest, misunderstood, oversized, refused } from './network-error.ts';
import type { WellKnownSkill } from './read-index.ts';

/** Unpacks the archive `file` into the empty directory `dir`. */
export type Extract = (
  file: string,
  dir: string,
  options: { readonly format: 'tar.gz' | 'zip' },
) => Promise<unknown>;

/** Destination of a skill, and the function that unpacks archives. */
interface FetchSkillOptions extends Pick<FetchOptions, 'signal' | 'onProgress' | 'maxBytes'> {
  /** An existing empty directory that becomes the skill. The archive is next to it while it is unpacked. */
  readonly dir: string;
  readonly extract: Extract;
}

const MAX_FILES_BYTES = 100 * 1024 * 1024;

/**
 * Fetches a skill and checks its digest before anything is written or unpacked. E204 when the digest differs. The result has the digest
 * of a download, not of single files, and whether the publisher promised it.
 */
export async function fetchWellKnownSkill(
  skill: WellKnownSkill,
  fetcher: Fetcher,
  options: FetchSkillOptions,
): Promise<{ readonly digest?: string; readonly verified: boolean }> {
  const { dir, extract, signal, onProgress, maxBytes } = options;
  const shared = { signal, onProgress };
  if (skill.type === 'files') {
    await fetchFiles(skill, fetcher, { dir, shared, maxBytes: maxBytes ?? MAX_FILES_BYTES });
    return { verified: false };
  }
  if (skill.type === 'skill-md') {
    const accept = 'text/markdown, text/plain';
    const { body } = await fetcher.get(skill.url, { ...shared, accept, maxBytes: MAX_TEXT_BYTES });
    const digest = `sha256:${sha256(body)}`;
    checkDigest(skill.name, { url: skill.url, promised: skill.digest, received: digest });
    writeNewFile(join(dir, 'SKILL.md'), body);
    return { digest, verified: skill.digest !== undefined };
  }
  const archive = temporaryBeside(dir);
  try {
    const downloaded = await fetcher.download(skill.url, archive, { ...shared, maxBytes });
    const digest = `sha256:${downloaded.sha256}`;
    checkDigest(skill.name, { url: skill.url, promised: skill.digest, received: digest });
    await extract(archive, dir, { format: formatOf(downloaded) });
    return { digest, verified: true };
  } finally {
    removePath(archive, { force: true });
  }
}

/** The format by content type, else by the ending of the URL. E215 when neither names one. */
function formatOf({ url, headers }: Downloaded): 'tar.gz' | 'zip' {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (/^application\/(?:x-)?zip(?:-compressed)?$/.test(type)) return 'zip';
  if (/^application\/(?:x-)?(?:gzip|gtar|tgz|tar\+gzip|compressed-tar)$/.test(type)) return 'tar.gz';
  const { pathname } = new URL(url);
  if (/\.(?:tar\.gz|tgz)$/i.test(pathname)) return 'tar.gz';
  if (/\.(?:zip|skill)$/i.test(pathname)) return 'zip';
  throw misunderstood(url, `an archive of unknown kind (${type || 'no content type'})`);
}

async function fetchFiles(
  skill: WellKnownSkill & { readonly type: 'files' },
  fetcher: Fetcher,
  options: { dir: string; shared: FetchOptions; maxBytes: number },
): Promise<void> {
  const { dir, shared, maxBytes } = options;
  const { origin } = new URL(skill.url);
  let left = maxBytes;
  for (const path of skill.files) {
    if (left <= 0) throw oversized(skill.url, maxBytes);
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), skill.url);
    const { body, url: from } = await fetcher.get(url, { ...shared, maxBytes: left });
    if (new URL(from).origin !== origin) throw refused(from, `${origin} redirects to another origin`);
    left -= body.byteLength;
    writeNewFile(joinInside(dir, path), body);
  }
}
