// Client for a registry.

import { rmSync } from 'node:fs';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import { isSemver } from '../../skill/format/index.ts';
import { checkUrl, isThisMachine } from './check-url.ts';
import { readJson } from './create-fetcher.ts';
import type { Downloaded, Fetched, Fetcher, FetchOptions } from './fetcher.ts';
import { refused, showUrl, statusError } from './network-error.ts';
import {
  DIGEST_HEADER,
  REGISTRY_API,
  RegistrySearch,
  RegistrySkill,
  RegistryVersion,
} from './registry-protocol.ts';
import { readServerWords } from './server-words.ts';

/** Options of a client. */
export interface RegistryClientOptions {
  /** Base URL of the registry; the protocol starts at `api/v1` below it. */
  readonly url: string;
  readonly fetcher: Fetcher;
  /** Sent only to this registry. */
  readonly token?: string | undefined;
}

type Asking = Pick<FetchOptions, 'signal' | 'timeout'>;

/** The chosen version, and its skill. */
export interface ResolvedVersion {
  readonly skill: RegistrySkill;
  readonly version: RegistryVersion;
  /** Absolute. */
  readonly archiveUrl: string;
}

/** A skill to publish. */
export interface Publication {
  readonly name: string;
  readonly version: string;
  /** A `.tar.gz` with SKILL.md at its root. */
  readonly archive: Uint8Array;
}

/** Operations of a registry. Each fails like the fetcher, and with E215 when the response does not follow the protocol. */
export interface RegistryClient {
  readonly url: string;
  search(
    query: string,
    options?: Asking & { readonly page?: number; readonly limit?: number },
  ): Promise<RegistrySearch>;
  /** E201 when there is no such skill. */
  skill(name: string, options?: Asking): Promise<RegistrySkill>;
  /** The highest version in a range; without one, the newest. Yanked versions count only when named exactly. E201 when none fits. */
  resolve(name: string, range?: string, options?: Asking): Promise<ResolvedVersion>;
  /** Downloads the archive to a new file. E204, and no file, when its digest differs. */
  download(
    version: ResolvedVersion,
    file: string,
    options?: Pick<FetchOptions, 'signal' | 'onProgress'>,
  ): Promise<Downloaded>;
  /** E203 when the version exists, E202 without a valid token. */
  publish(publication: Publication, options?: Asking): Promise<RegistryVersion>;
  /** Withdraws a version with a reason; null undoes it. */
  yank(
    name: string,
    version: string,
    options: Asking & { readonly reason: string | null },
  ): Promise<RegistryVersion>;
  /** Deprecates a skill with a reason; null undoes it. */
  deprecate(name: string, options: Asking & { readonly reason: string | null }): Promise<RegistrySkill>;
}

/** A client for one registry. E206 when a token would be sent without https. */
export function createRegistryClient({ url, fetcher, token }: RegistryClientOptions): RegistryClient {
  const base = checkUrl(url.endsWith('/') ? url : `${url}/`);
  if (token !== undefined && base.protocol === 'http:' && !isThisMachine(base))
    throw refused(base, 'a token is sent only over https');
  const at = (...parts: string[]) =>
    new URL([REGISTRY_API, ...parts.map(encodeURIComponent)].join('/'), base);
  const headersFor = (target: URL): Record<string, string> =>
    token === undefined || target.origin !== base.origin ? {} : { authorization: `Bearer ${token}` };

  const skill = async (name: string, options: Asking = {}) => {
    const target = at('skills', name);
    const { value } = await fetcher.getJson(target, RegistrySkill, {
      ...options,
      headers: headersFor(target),
    });
    return value;
  };

  const change = async (
    target: URL,
    options: Asking & { method: 'PUT' | 'PATCH'; body: Uint8Array; headers: Record<string, string> },
  ): Promise<Fetched> => {
    const answer = await fetcher.send(target, {
      ...options,
      headers: { ...options.headers, ...headersFor(target), accept: 'application/json' },
      expect: [400, 401, 403, 404, 409, 413, 422],
    });
    if (answer.status >= 400) throw refusal(answer);
    return answer;
  };

  const patch = (target: URL, value: object, options: Asking) =>
    change(target, {
      ...options,
      method: 'PATCH',
      body: Buffer.from(JSON.stringify(value)),
      headers: { 'content-type': 'application/json' },
    });

  return {
    url: base.href,
    async search(query, { page = 1, limit = 20, ...options } = {}) {
      const target = at('search');
      target.search = new URLSearchParams({ q: query, page: String(page), limit: String(limit) }).toString();
      const headers = headersFor(target);
      return (await fetcher.getJson(target, RegistrySearch, { ...options, headers })).value;
    },
    skill,
    async resolve(name, range, options) {
      const found = await skill(name, options);
      const version = chooseVersion(found, range);
      const archive = new URL(version.dist.url, at('skills', name, version.version));
      return { skill: found, version, archiveUrl: checkUrl(archive).href };
    },
    async download({ version, archiveUrl }, file, options = {}) {
      const target = new URL(archiveUrl);
      const headers = headersFor(target);
      const maxBytes = version.dist.size;
      const downloaded = await fetcher.download(target, file, { ...options, headers, maxBytes });
      const received = `sha256:${downloaded.sha256}`;
      if (received === version.dist.digest) return downloaded;
      rmSync(file, { force: true });
      const promised = version.dist.digest;
      throw SkillwrightError.of(
        'E204',
        { what: `${version.name}@${version.version} from ${showUrl(target)}` },
        { detail: `  promised ${promised}\n  received ${received}`, data: { promised, received } },
      );
    },
    async publish({ name, version, archive }, options = {}) {
      const answer = await change(at('skills', name, version), {
        ...options,
        method: 'PUT',
        body: archive,
        headers: { 'content-type': 'application/gzip', [DIGEST_HEADER]: `sha256:${sha256(archive)}` },
      });
      return readJson(answer.body, RegistryVersion, answer.url);
    },
    async yank(name, version, { reason, ...options }) {
      const answer = await patch(at('skills', name, version), { yanked: reason }, options);
      return readJson(answer.body, RegistryVersion, answer.url);
    },
    async deprecate(name, { reason, ...options }) {
      const answer = await patch(at('skills', name), { deprecated: reason }, options);
      return readJson(answer.body, RegistrySkill, answer.url);
    },
  };
}

/** The version that matches a range or an exact version; by default the newest. E201 when none fits. */
export function chooseVersion(skill: RegistrySkill, range = 'latest'): RegistryVersion {
  const versionOf = (wanted: string | null) => skill.versions.find(({ version }) => version === wanted);
  const offered = skill.versions
    .filter(({ yanked, quarantined }) => yanked === null && quarantined === null)
    .map(({ version }) => version);
  const wanted = isSemver(range)
    ? range
    : range === 'latest'
      ? (skill.latest ?? maxSatisfying(offered, '*', { includePrerelease: true }))
      : validRange(range) === null
        ? null
        : maxSatisfying(offered, range);
  const found = versionOf(wanted);
  if (found !== undefined) return found;
  const shown = offered.slice(0, 10).join(', ');
  const help = offered.length === 0 ? 'it has no version that can be installed' : `available: ${shown}`;
  throw SkillwrightError.of(
    'E201',
    { what: `${skill.name}@${range}` },
    { help, data: { versions: offered } },
  );
}

/** The error for a change that the registry refused, with its message if there is one. */
function refusal({ url, status, headers, body }: Fetched): SkillwrightError {
  const said = readServerWords(body);
  const details = {
    data: { url: showUrl(url), status, ...(said?.code === undefined ? {} : { error: said.code }) },
    detail: said?.detail,
  };
  const [name = '', version] = new URL(url).pathname
    .split('/skills/')
    .at(-1)!
    .split('/')
    .map(decodeURIComponent);
  const what = version === undefined ? name : `${name}@${version}`;
  if (status === 409) return SkillwrightError.of('E203', { what }, details);
  if (status === 413) return SkillwrightError.of('E207', { what }, details);
  if (said?.code === 'digest_mismatch') return SkillwrightError.of('E204', { what }, details);
  if (status === 401 || status === 403) return SkillwrightError.of('E202', { url: showUrl(url) }, details);
  if (status === 404) return SkillwrightError.of('E201', { what }, details);
  if (status === 422 || status === 400)
    return SkillwrightError.of('E218', { what, why: said?.message ?? `status ${status}` }, details);
  return statusError(url, { status, headers, said });
}
