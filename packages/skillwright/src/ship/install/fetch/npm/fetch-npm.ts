// Skills from an npm package. It is downloaded and unpacked, never installed or run.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../../../base/diagnostics/index.ts';
import type { FetchedSource, Resolution, SkillSource } from '../../source/fetched-source.ts';
import { checkPinned, downloadOptions, makeFetcher } from '../download.ts';
import { stageArchive } from '../stage-archive.ts';
import type { StagingWorld } from '../staging.ts';
import { npmNotices, readPackage } from './ask-npm.ts';
import { chooseVersion, type NpmVersion } from './npm-package.ts';

/**
 * Fetches the skills of a package from the user's npm registry and checks its integrity. E201 when there is no such
 * version, E204 when the archive does not match the registry's or the locked digest.
 */
export async function fetchNpm(
  source: Extract<SkillSource, { kind: 'npm' }>,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const { name, range } = source;
  const fetcher = makeFetcher(context);
  const { document, registry } = await readPackage(name, context);
  const chosen = chooseVersion(name, document, resolution.version ?? range);
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
  const fetched = await stageArchive(file, { label, tree: facts }, { context, staging });
  return { ...fetched, notices: npmNotices(document, version) };
}

/** Checks a file against the strongest promised digest; false when there is no usable one. */
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
