// Requests of an account to a registry, made from the table of operations.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import {
  DIGEST_HEADER,
  type IndexVersion,
  type OperationAnswer,
  type OperationId,
  type OperationInput,
  type OperationQuery,
  type RegistryOperation,
  registryOperations,
  type SkillAddress,
  spellAddress,
} from '../protocol/index.ts';
import { readJson } from './create-fetcher.ts';
import type { Fetched, Fetcher } from './fetcher.ts';
import { showUrl, statusError } from './network-error.ts';
import { loginHelp, openPaths, type PathValues } from './registry-source.ts';
import { readServerWords } from './server-words.ts';

/** Settings of an account. */
interface RegistryAccountOptions {
  readonly url: string;
  readonly fetcher: Fetcher;
  /** Left out for the few operations that need none. */
  readonly token?: string;
  /** Help to show when the registry refuses the token. */
  readonly ifRefused?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Input of an operation. */
interface Asked<Id extends OperationId> {
  /** Variable parts of the path. Owners are named without `@`. */
  readonly path?: PathValues;
  readonly query?: Readonly<Partial<Record<keyof OperationQuery<Id>, string>>>;
  readonly body?: OperationInput<Id> | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Named in the error of a change; by default what the path names. */
  readonly what?: string;
}

/** Requests of an account. */
export type RegistryAccount = ReturnType<typeof createRegistryAccount>;

/** The account behind a token. E206 when the token would be sent without https. */
export function createRegistryAccount(options: RegistryAccountOptions) {
  const { fetcher, signal } = options;
  const { base, at, headersFor } = openPaths(options);
  const { ifRefused = loginHelp(base) } = options;
  const common = { ...headersFor(base), accept: 'application/json' };

  /**
   * Carries out an operation of the protocol. It fails like the fetcher, with E202 when the token is not accepted, E251 when it
   * is not enough, E252 on a conflict, and E215 when the response does not follow the protocol.
   */
  const call = async <Id extends OperationId>(
    id: Id,
    { path = {}, query, body, headers = {}, what = subjectOf(path) }: Asked<Id> = {},
  ): Promise<OperationAnswer<Id>> => {
    const { method, response }: RegistryOperation = registryOperations[id];
    const target = at(id, path);
    for (const [key, value] of Object.entries(query ?? {})) target.searchParams.set(key, String(value));
    // A response without content is 204. Any other must be JSON: a page of a proxy is not an answer.
    const schema = (response ?? z.object({})) as z.ZodType<OperationAnswer<Id>>;
    if (method === 'GET')
      try {
        return (await fetcher.getJson(target, schema, { headers: common, signal })).value;
      } catch (error) {
        // Only a write says what was refused; for a read, the next step is to log in.
        if (error instanceof SkillwrightError && error.code === 'E202') throw error.withHelp(ifRefused);
        throw error;
      }
    const answer = await fetcher.send(target, {
      method,
      signal,
      ...(body === undefined ? {} : { body: bytesOf(body) }),
      headers: { ...common, ...typeOf(body), ...headers },
      expect: [400, 401, 403, 404, 409, 413, 422],
    });
    if (answer.status >= 400) throw refusedRequest(answer, { what, ifRefused });
    if (response === undefined && answer.status === 204) return undefined as OperationAnswer<Id>;
    return readJson(answer.body, schema, answer.url);
  };
  return {
    url: base.href,
    call,
    /** Publishes a `.tar.gz` with SKILL.md at its root. E203 when the version exists. */
    publish: (
      path: SkillAddress & { readonly version: string },
      archive: Uint8Array,
    ): Promise<IndexVersion> =>
      call('publishVersion', {
        path,
        body: archive,
        headers: { [DIGEST_HEADER]: `sha256:${sha256(archive)}` },
      }),
  };
}

/** The subject of a request, as its errors name it. */
function subjectOf({ owner, name, version, account, id = '' }: PathValues): string {
  if (owner === undefined) return id;
  if (name !== undefined)
    return `${spellAddress({ owner, name })}${version === undefined ? '' : `@${version}`}`;
  return `${account === undefined ? '' : `${account} of `}@${owner}`;
}

const bytesOf = (body: unknown) => (body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body)));

function typeOf(body: unknown): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': body instanceof Uint8Array ? 'application/gzip' : 'application/json' };
}

/** The error for a refused request, with the registry's message if there is one. */
function refusedRequest(
  { url, status, headers, body }: Fetched,
  { what, ifRefused }: { readonly what: string; readonly ifRefused: string },
): SkillwrightError {
  const said = readServerWords(body);
  const why = said?.message ?? `status ${status}`;
  const data = { url: showUrl(url), status, ...(said?.code === undefined ? {} : { error: said.code }) };
  if (status === 401)
    return SkillwrightError.of(
      'E202',
      { url: showUrl(url) },
      { data, detail: said?.detail, help: ifRefused },
    );
  if (status === 403 && headers['retry-after'] === undefined)
    return SkillwrightError.of('E251', { what, why }, { data });
  const details = { data, detail: said?.detail };
  if (status === 404) return SkillwrightError.of('E201', { what }, details);
  if (said?.code === 'version_exists') return SkillwrightError.of('E203', { what }, details);
  if (said?.code === 'digest_mismatch') return SkillwrightError.of('E204', { what }, details);
  if (status === 409) return SkillwrightError.of('E252', { what, why }, { data });
  if (status === 413) return SkillwrightError.of('E207', { what }, details);
  if (status === 400 || status === 422) return SkillwrightError.of('E218', { what, why }, details);
  return statusError(url, { status, headers, said });
}
