// Skills of an npm package. The package is downloaded and unpacked; nothing of it is installed or run.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../../../base/diagnostics/index.ts';
import { readInside } from '../../../../base/files/index.ts';
import type { FetchedSource, Resolution, SkillSource } from '../../source/fetched-source.ts';
import { checkPinned, downloadOptions, makeFetcher } from '../download.ts';
import { stageArchive } from '../stage-archive.ts';
import type { StagingWorld } from '../staging.ts';
import { chooseVersion, NpmPackage, type NpmVersion } from './npm-package.ts';
import { readNpmRegistry } from './npm-registry.ts';

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const MAX_MANIFEST_BYTES = 1024 * 1024;
const ACCEPT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

/**
 * Fetches the skills of a package from the registry the user has configured for npm, its integrity checked. E201 when
 * there is no such version, E204 when the archive is not what the registry promises, or not what it was.
 */
export async function fetchNpm(
  source: Extract<SkillSource, { kind: 'npm' }>,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const { name, range } = source;
  const fetcher = makeFetcher(context);
  const registry = readNpmRegistry(name, context);
  const url = new URL(name.replace('/', '%2f'), registry.url).href;
  const { value } = await fetcher.getJson(url, NpmPackage, {
    accept: ACCEPT,
    headers: registry.headersFor(url),
    maxBytes: MAX_DOCUMENT_BYTES,
    signal: context.signal,
  });
  const chosen = chooseVersion(name, value, resolution.version ?? range);
  const { version, dist } = chosen;
  const label = `npm:${name}@${version}`;
  const file = join(staging.dir, 'archive');
  const { sha256 } = await fetcher.download(dist.tarball, file, {
    ...downloadOptions(label, context),
    headers: registry.headersFor(dist.tarball),
  });
  const verified = await checkIntegrity(file, chosen, label);
  const digest = `sha256:${sha256}`;
  checkPinned(label, { pinned: resolution.digest, received: digest });
  const rootName = name.slice(name.indexOf('/') + 1);
  const facts = { source, resolution: { version, digest }, verified, rootName };
  const describe = (root: string) => ({ ...facts, repository: readRepository(root) });
  return stageArchive(file, { label, describe }, { context, staging });
}

/** Compares a file with the strongest promise there is; false when there is none that counts. */
async function checkIntegrity(file: string, { dist }: NpmVersion, what: string): Promise<boolean> {
  const promises = (dist.integrity ?? '').split(/\s+/).flatMap((text) => {
    const [, algorithm, expected] = /^(sha512|sha384|sha256)-([A-Za-z0-9+/]+={0,2})/.exec(text) ?? [];
    return algorithm === undefined || expected === undefined ? [] : [{ algorithm, expected }];
  });
  const best = promises.toSorted((a, b) => (a.algorithm < b.algorithm ? 1 : -1))[0];
  const weak = dist.shasum === undefined ? undefined : { algorithm: 'sha1', expected: dist.shasum };
  const promise = best ?? weak;
  if (promise === undefined) return false;
  const hash = createHash(promise.algorithm);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  const received = hash.digest(best === undefined ? 'hex' : 'base64');
  if (received !== promise.expected)
    throw SkillwrightError.of(
      'E204',
      { what },
      {
        detail: `  promised ${promise.algorithm} ${promise.expected}\n  received ${promise.algorithm} ${received}`,
      },
    );
  return best !== undefined;
}

const Manifest = z.looseObject({
  repository: z.union([z.string(), z.looseObject({ url: z.string() })]).optional(),
});

/** The repository a package names, as a page. */
function readRepository(root: string): string | undefined {
  try {
    const bytes = readInside(root, 'package.json', { maxBytes: MAX_MANIFEST_BYTES });
    const { repository } = Manifest.parse(JSON.parse(bytes?.toString('utf8') ?? '{}'));
    const written = typeof repository === 'string' ? repository : (repository?.url ?? '');
    const [, host, path] =
      /^(?:git\+)?(?:https?|git|ssh):\/\/(?:git@)?([\w.-]+)\/(.+?)(?:\.git)?$/.exec(written) ??
      /^()(?:github:)?([\w-]+\/[\w.-]+)$/.exec(written) ??
      [];
    return path === undefined ? undefined : `https://${host || 'github.com'}/${path}`;
  } catch {
    // A package without a manifest that can be read has no repository that could be named.
    return undefined;
  }
}
