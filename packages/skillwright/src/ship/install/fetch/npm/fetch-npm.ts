// Skills from an npm package: its archive, and whether there is a newer version.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import * as z from 'zod';
import { SkillwrightError } from '../../../../base/diagnostics/index.ts';
import { readRegularFile } from '../../../../base/files/index.ts';
import type { Notice } from '../../../results/index.ts';
import type { FetchContext, FetchedSource, Resolution, SkillSource } from '../../source/fetched-source.ts';
import { checkPinned, downloadOptions, makeFetcher, stageArchive } from '../fetch-archive.ts';
import type { SourceAnswer, StagingWorld } from '../fetch-source.ts';

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

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const ACCEPT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

/** The document of a package, and its registry. */
export async function readPackage(
  name: string,
  context: FetchContext,
): Promise<{ document: NpmPackage; registry: NpmRegistry }> {
  const registry = readNpmRegistry(name, context);
  const url = new URL(name.replace('/', '%2f'), registry.url).href;
  const { value } = await makeFetcher(context).getJson(url, NpmPackage, {
    accept: ACCEPT,
    headers: registry.headersFor(url),
    maxBytes: MAX_DOCUMENT_BYTES,
    signal: context.signal,
  });
  return { document: value, registry };
}

/** Asks for the versions of a package. E201 when none matches. */
export async function askNpm(
  { name, range }: Extract<SkillSource, { kind: 'npm' }>,
  context: FetchContext,
): Promise<SourceAnswer> {
  const { document } = await readPackage(name, context);
  return {
    wanted: { version: chooseVersion(name, document, range).version },
    latest: latestOf(name, document),
    noticesOf: (version) => npmNotices(document, version),
  };
}

/** A registry's warnings about a version. */
export function npmNotices({ versions }: NpmPackage, version: string | undefined): Notice[] {
  const found = version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined;
  const deprecated = found?.deprecated;
  return typeof deprecated === 'string' && deprecated.trim() !== ''
    ? [{ kind: 'deprecated', text: deprecated }]
    : [];
}

function latestOf(name: string, document: NpmPackage): SourceAnswer['latest'] {
  try {
    return { version: chooseVersion(name, document).version };
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}

const Dist = z.looseObject({
  tarball: z.url({ protocol: /^https?$/ }),
  integrity: z.string().optional(),
  shasum: z.string().optional(),
});

/** The parts of a package document that are used. */
export const NpmPackage = z.looseObject({
  'dist-tags': z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), z.looseObject({ dist: Dist })).default({}),
});
type NpmPackage = z.infer<typeof NpmPackage>;

/** One version of a package. */
interface NpmVersion {
  readonly version: string;
  readonly dist: z.infer<typeof Dist>;
}

/** The version for a range, a tag or an exact version; without one, the latest. E201 when none matches. */
export function chooseVersion(name: string, document: NpmPackage, range = 'latest'): NpmVersion {
  const { versions, 'dist-tags': tags } = document;
  const known = Object.keys(versions);
  const version = Object.hasOwn(versions, range)
    ? range
    : Object.hasOwn(tags, range)
      ? tags[range]
      : validRange(range) === null
        ? null
        : preferLatest(known, { range, latest: tags.latest });
  const found =
    typeof version === 'string' && Object.hasOwn(versions, version) ? versions[version] : undefined;
  if (found !== undefined) return { version: version as string, dist: found.dist };
  throw SkillwrightError.of('E201', { what: `npm:${name}@${range}` });
}

/** Like npm: the version tagged latest if it matches, else the highest match. */
function preferLatest(
  known: readonly string[],
  { range, latest }: { range: string; latest: string | undefined },
): string | null {
  const isFit = latest !== undefined && maxSatisfying([latest], range) !== null;
  return isFit ? latest : maxSatisfying(known, range);
}

const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
const MAX_NPMRC_BYTES = 1024 * 1024;

/** The registry of a package. */
interface NpmRegistry {
  /** Ends with `/`. */
  readonly url: string;
  /** Login headers for a URL of that registry; none for any other. */
  headersFor(url: string): Record<string, string>;
}

/**
 * The registry for a package, from the user's own `.npmrc` and environment. A project's `.npmrc` is not read: a
 * third-party repository could name its own registry there and receive the user's secrets. E210 when the configured
 * value is not a URL.
 */
export function readNpmRegistry(name: string, context: Pick<FetchContext, 'env' | 'home'>): NpmRegistry {
  const { env } = context;
  const values = readNpmrc(context);
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined;
  const configured =
    (scope === undefined ? undefined : values.get(`${scope}:registry`)) ??
    env.npm_config_registry ??
    env.NPM_CONFIG_REGISTRY ??
    values.get('registry') ??
    DEFAULT_REGISTRY;
  const url = configured.endsWith('/') ? configured : `${configured}/`;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    const help = 'correct `registry` in your .npmrc, or npm_config_registry in the environment';
    throw SkillwrightError.of(
      'E210',
      { source: `npm:${name}`, why: `npm's registry '${configured}' is not a URL` },
      { help },
    );
  }
  return { url, headersFor: (target) => findCredentials(target, values) };
}

/** Credentials of the longest configured address that is a prefix of `target`, as npm chooses them. */
function findCredentials(target: string, values: ReadonlyMap<string, string>): Record<string, string> {
  if (!URL.canParse(target)) return {};
  const { host, pathname } = new URL(target);
  const parts = pathname.split('/');
  for (let length = parts.length; length > 0; length--) {
    const address = `//${host}${parts.slice(0, length).join('/')}`;
    for (const key of [`${address}/`, address]) {
      const token = values.get(`${key}:_authToken`);
      if (token !== undefined) return { authorization: `Bearer ${token}` };
      const basic = values.get(`${key}:_auth`);
      if (basic !== undefined) return { authorization: `Basic ${basic}` };
      const [user, password] = [values.get(`${key}:username`), values.get(`${key}:_password`)];
      if (user !== undefined && password !== undefined) {
        const plain = `${user}:${Buffer.from(password, 'base64').toString('utf8')}`;
        return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
      }
    }
  }
  return {};
}

function readNpmrc({ env, home }: Pick<FetchContext, 'env' | 'home'>): Map<string, string> {
  const file = env.npm_config_userconfig ?? env.NPM_CONFIG_USERCONFIG ?? join(home, '.npmrc');
  const text = readRegularFile(file, { maxBytes: MAX_NPMRC_BYTES })?.toString('utf8') ?? '';
  const values = new Map<string, string>();
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, key, value] = /^\s*([^#;[\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const plain = value.replace(/^(["'])(.*)\1$/, '$2');
    values.set(
      key,
      plain.replace(/\$\{([^}]+)\}/g, (whole, variable: string) => env[variable] ?? whole),
    );
  }
  return values;
}
