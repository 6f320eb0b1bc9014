// Requests of an account to a registry: who it is, its tokens, owners and ratings, and changes to skills.

import * as z from 'zod';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import {
  type CreatedToken,
  DIGEST_HEADER,
  type IndexVersion,
  type Invitation,
  type InvitationRequest,
  type OperationAnswer,
  type OperationId,
  type Owner,
  type Publisher,
  type PublisherRequest,
  parseAddress,
  type RegistryOperation,
  type Role,
  registryOperations,
  type SkillAddress,
  type SkillIndex,
  type SkillSummary,
  type TokenList,
  type Transfer,
  type Whoami,
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
  readonly token: string;
  /** The way on where the registry refuses the token. */
  readonly ifRefused?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A version to publish. */
export interface Publication {
  /** `@owner/name`. */
  readonly address: string;
  readonly version: string;
  readonly archive: Uint8Array;
}

/** Values of a new token; see the protocol. */
interface TokenWish {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly owner: string | null;
  readonly days: number | null;
}

/** Changes to a skill; fields left out stay. */
interface SkillSettings {
  readonly deprecated?: string | null | undefined;
  readonly visibility?: 'private' | 'public' | undefined;
  readonly requireProvenance?: boolean | undefined;
}

/**
 * Requests of an account. Owners are named without `@`, skills as `@owner/name`. Every method fails like the fetcher, with
 * E202 when the token is not accepted, E251 when it is not enough, E252 on a conflict, and E215 when the response does not
 * follow the protocol.
 */
export interface RegistryAccount {
  readonly url: string;
  whoami(): Promise<Whoami>;
  tokens(): Promise<TokenList['tokens']>;
  createToken(wish: TokenWish): Promise<CreatedToken>;
  revokeToken(id: string): Promise<void>;
  owner(name: string): Promise<Owner>;
  /** E252 when it exists, even if the account manages it. */
  createOwner(name: string, facts: { readonly title: string; readonly url: string | null }): Promise<Owner>;
  /** Sets the roles of a member; none removes the member. */
  setMember(owner: string, account: string, roles: readonly Role[]): Promise<void>;
  offerOwner(owner: string, to: string): Promise<Transfer>;
  /** Trusted publishers: CI workflows that may publish a skill of the owner. */
  publishers(owner: string): Promise<Publisher[]>;
  addPublisher(owner: string, wish: PublisherRequest): Promise<Publisher>;
  /** Also revokes the tokens of its jobs. */
  removePublisher(owner: string, id: string): Promise<void>;
  /** Invites a person with a link that works once; for administrators of the registry. */
  invite(wish: InvitationRequest): Promise<Invitation>;
  answerTransfer(id: string, answer: 'accept' | 'decline'): Promise<void>;
  /** Publishes a `.tar.gz` with SKILL.md at its root. E203 when the version exists. */
  publish(publication: Publication): Promise<IndexVersion>;
  /** Withdraws a version with a reason; null undoes it. */
  yank(address: string, version: string, reason: string | null): Promise<IndexVersion>;
  changeSkill(address: string, change: SkillSettings): Promise<SkillIndex>;
  /** Null takes the rating back. */
  rate(address: string, stars: number | null): Promise<SkillSummary>;
}

/** A request of an account. */
interface Asked {
  readonly path?: PathValues;
  /** JSON, or the bytes of an archive. */
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** Named in the error of a change. */
  readonly what?: string;
}

/** The account behind a token. E206 when the token would be sent without https. */
export function createRegistryAccount(options: RegistryAccountOptions): RegistryAccount {
  const { fetcher, signal } = options;
  const { base, at, headersFor } = openPaths(options);
  const { ifRefused = loginHelp(base) } = options;
  const common = { ...headersFor(base), accept: 'application/json' };

  const ask = async <Id extends OperationId>(
    id: Id,
    { path, body, headers = {}, what = '' }: Asked = {},
  ): Promise<OperationAnswer<Id>> => {
    const { method, response }: RegistryOperation = registryOperations[id];
    const target = at(id, path);
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
    if (answer.status >= 400) throw refusalOf(answer, { what, ifRefused });
    if (response === undefined && answer.status === 204) return undefined as OperationAnswer<Id>;
    return readJson(answer.body, schema, answer.url);
  };
  return {
    url: base.href,
    whoami: () => ask('whoami'),
    tokens: async () => (await ask('listTokens')).tokens,
    createToken: (wish) => ask('createToken', { body: wish, what: wish.name }),
    revokeToken: (id) => ask('revokeToken', { path: { id }, what: `token ${id}` }),
    owner: (owner) => ask('getOwner', { path: { owner } }),
    // Without the header, the registry would change one that exists.
    createOwner: (owner, facts) =>
      ask('putOwner', { path: { owner }, body: facts, headers: { 'if-none-match': '*' }, what: `@${owner}` }),
    setMember: async (owner, account, roles) =>
      void (await ask('changeMember', {
        path: { owner, account },
        body: { roles },
        what: `${account} of @${owner}`,
      })),
    offerOwner: (owner, to) => ask('offerTransfer', { path: { owner }, body: { to }, what: `@${owner}` }),
    publishers: async (owner) => (await ask('listPublishers', { path: { owner } })).publishers,
    addPublisher: (owner, wish) => ask('addPublisher', { path: { owner }, body: wish, what: wish.skill }),
    removePublisher: (owner, id) => ask('removePublisher', { path: { owner, id }, what: `publisher ${id}` }),
    invite: (wish) =>
      ask('createInvitation', { body: wish, what: wish.account }).catch((error: unknown) => {
        if (!(error instanceof SkillwrightError) || error.code !== 'E251') throw error;
        // A login never has this scope.
        const page = new URL('settings/tokens', base).href;
        throw error.withHelp(`create a token with scope admin at ${page}, and put it into SKC_TOKEN`);
      }),
    answerTransfer: async (id, answer) =>
      void (await ask(answer === 'accept' ? 'acceptTransfer' : 'declineTransfer', {
        path: { id },
        what: 'transfer',
      })),
    publish: async ({ address, version, archive }) =>
      ask('publishVersion', {
        path: { ...readAddress(address), version },
        body: archive,
        headers: { [DIGEST_HEADER]: `sha256:${sha256(archive)}` },
        what: `${address}@${version}`,
      }),
    yank: async (address, version, yanked) =>
      ask('yankVersion', {
        path: { ...readAddress(address), version },
        body: { yanked },
        what: `${address}@${version}`,
      }),
    changeSkill: async (address, change) =>
      ask('changeSkill', { path: readAddress(address), body: change, what: address }),
    rate: async (address, stars) => {
      const path = readAddress(address);
      return stars === null
        ? ask('unrateSkill', { path, what: address })
        : ask('rateSkill', { path, body: { stars }, what: address });
    },
  };
}

const bytesOf = (body: object) => (body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body)));

function typeOf(body: object | undefined): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': body instanceof Uint8Array ? 'application/gzip' : 'application/json' };
}

/** The parts of `@owner/name`. E100 for anything else. */
function readAddress(address: string): SkillAddress {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw invalidOption(`'${address}' is not @owner/name`);
  return parsed;
}

/** The error for a refused request, with the registry's message if there is one. */
function refusalOf(
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
