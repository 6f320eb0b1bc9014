// Requests that change something in a registry.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import {
  DIGEST_HEADER,
  IndexVersion,
  type SkillAddress,
  type SkillChange,
  SkillIndex,
  type YankRequest,
} from '../protocol/index.ts';
import { readJson } from './create-fetcher.ts';
import type { Fetched } from './fetcher.ts';
import { showUrl, statusError } from './network-error.ts';
import type { Asking } from './registry-client.ts';
import { openPaths, type RegistryClientOptions } from './registry-paths.ts';
import { readServerWords } from './server-words.ts';

/** A skill to publish. */
export interface Publication extends SkillAddress {
  readonly version: string;
  /** A `.tar.gz` with SKILL.md at its root. */
  readonly archive: Uint8Array;
}

/** Changing operations. Each fails like the fetcher, and with E215 when the response breaks the protocol. */
export interface RegistryWrites {
  /** E203 when the version exists, E202 without a valid token. */
  publish(publication: Publication, options?: Asking): Promise<IndexVersion>;
  /** Yanks a version with a reason; null undoes it. */
  yank(
    address: SkillAddress,
    version: string,
    options: Asking & { readonly reason: string | null },
  ): Promise<IndexVersion>;
  /** Deprecates a skill with a reason; null undoes it. */
  deprecate(address: SkillAddress, options: Asking & { readonly reason: string | null }): Promise<SkillIndex>;
}

/** The changing operations of one registry. E206 when a token would be sent without https. */
export function createRegistryWrites(options: RegistryClientOptions): RegistryWrites {
  const { at, headersFor } = openPaths(options);

  const change = async (
    target: URL,
    request: Asking & { method: 'PUT' | 'PATCH'; body: Uint8Array; headers: Record<string, string> },
  ): Promise<Fetched> => {
    const answer = await options.fetcher.send(target, {
      ...request,
      headers: { ...request.headers, ...headersFor(target), accept: 'application/json' },
      expect: [400, 401, 403, 404, 409, 413, 422],
    });
    if (answer.status >= 400) throw refusal(answer);
    return answer;
  };

  const patch = (target: URL, value: YankRequest | SkillChange, asking: Asking) =>
    change(target, {
      ...asking,
      method: 'PATCH',
      body: Buffer.from(JSON.stringify(value)),
      headers: { 'content-type': 'application/json' },
    });

  return {
    async publish({ owner, name, version, archive }, asking = {}) {
      const answer = await change(at('skills', `@${owner}`, name, version), {
        ...asking,
        method: 'PUT',
        body: archive,
        headers: { 'content-type': 'application/gzip', [DIGEST_HEADER]: `sha256:${sha256(archive)}` },
      });
      return readJson(answer.body, IndexVersion, answer.url);
    },
    async yank({ owner, name }, version, { reason, ...asking }) {
      const answer = await patch(at('skills', `@${owner}`, name, version), { yanked: reason }, asking);
      return readJson(answer.body, IndexVersion, answer.url);
    },
    async deprecate({ owner, name }, { reason, ...asking }) {
      const answer = await patch(at('skills', `@${owner}`, name), { deprecated: reason }, asking);
      return readJson(answer.body, SkillIndex, answer.url);
    },
  };
}

/** The error for a change that the registry refused, with its message if there is one. */
function refusal({ url, status, headers, body }: Fetched): SkillwrightError {
  const said = readServerWords(body);
  const details = {
    data: { url: showUrl(url), status, ...(said?.code === undefined ? {} : { error: said.code }) },
    detail: said?.detail,
  };
  const [owner = '', name = '', version] = new URL(url).pathname
    .split('/skills/')
    .at(-1)!
    .split('/')
    .map(decodeURIComponent);
  const what = version === undefined ? `${owner}/${name}` : `${owner}/${name}@${version}`;
  if (said?.code === 'version_exists') return SkillwrightError.of('E203', { what }, details);
  if (status === 413) return SkillwrightError.of('E207', { what }, details);
  if (said?.code === 'digest_mismatch') return SkillwrightError.of('E204', { what }, details);
  if (status === 401 || status === 403) return SkillwrightError.of('E202', { url: showUrl(url) }, details);
  if (status === 404) return SkillwrightError.of('E201', { what }, details);
  if (status === 400 || status === 409 || status === 422)
    return SkillwrightError.of('E218', { what, why: said?.message ?? `status ${status}` }, details);
  return statusError(url, { status, headers, said });
}
