// Requests of an account to a registry: who it is, its tokens, owners and ratings, and changes to skills.

import * as z from 'zod';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import {
  CreatedToken,
  DIGEST_HEADER,
  IndexVersion,
  Invitation,
  type InvitationRequest,
  Owner,
  Publisher,
  type PublisherRequest,
  parseAddress,
  type Role,
  SkillIndex,
  SkillSummary,
  TokenList,
  Transfer,
  Whoami,
} from '../protocol/index.ts';
import { readJson } from './create-fetcher.ts';
import type { Fetched, Fetcher, SendOptions } from './fetcher.ts';
import { showUrl, statusError } from './network-error.ts';
import { loginHelp, openPaths } from './registry-source.ts';
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

/** The account behind a token. E206 when the token would be sent without https. */
export function createRegistryAccount(options: RegistryAccountOptions): RegistryAccount {
  const { fetcher, signal } = options;
  const { base, at, headersFor } = openPaths(options);
  const { ifRefused = loginHelp(base) } = options;
  const headers = { ...headersFor(base), accept: 'application/json' };
  const place = (parts: Parts) => {
    // A URL would take these for steps upward.
    const step = parts.find((part) => /^\.{0,2}$/.test(part));
    if (step !== undefined) throw invalidOption(`'${step}' is not a name`);
    return at(...parts);
  };

  const get = async <Schema extends z.ZodType>(parts: Parts, schema: Schema): Promise<z.output<Schema>> => {
    try {
      return (await fetcher.getJson(place(parts), schema, { headers, signal })).value;
    } catch (error) {
      // Only a write says what was refused; for a read, the next step is to log in.
      if (error instanceof SkillwrightError && error.code === 'E202') throw error.withHelp(ifRefused);
      throw error;
    }
  };

  interface Change {
    readonly method: SendOptions['method'];
    readonly parts: Parts;
    /** Named in the error. */
    readonly what: string;
  }
  const sendBytes = async (
    { method, parts, what }: Change,
    content: { readonly body?: Uint8Array; readonly headers?: Record<string, string> } = {},
  ): Promise<Fetched> => {
    const answer = await fetcher.send(place(parts), {
      ...content,
      method,
      signal,
      headers: { ...headers, ...content.headers },
      expect: [400, 401, 403, 404, 409, 413, 422],
    });
    if (answer.status >= 400) throw refusalOf(answer, { what, ifRefused });
    return answer;
  };
  const send = (change: Change, value?: object, more: Record<string, string> = {}) =>
    sendBytes(
      change,
      value === undefined
        ? {}
        : {
            body: Buffer.from(JSON.stringify(value)),
            headers: { 'content-type': 'application/json', ...more },
          },
    );
  const read = <Schema extends z.ZodType>({ body, url }: Fetched, schema: Schema) =>
    readJson(body, schema, url);
  /** A response without content. Any other must be JSON: a page of a proxy is not an answer. */
  const acknowledge = (answer: Fetched) => void (answer.status === 204 || read(answer, z.object({})));
  return {
    url: base.href,
    whoami: () => get(['whoami'], Whoami),
    tokens: async () => (await get(['tokens'], TokenList)).tokens,
    createToken: async (wish) =>
      read(await send({ method: 'POST', parts: ['tokens'], what: wish.name }, wish), CreatedToken),
    revokeToken: async (id) =>
      acknowledge(await send({ method: 'DELETE', parts: ['tokens', id], what: `token ${id}` })),
    owner: (name) => get(['owners', `@${name}`], Owner),
    createOwner: async (name, facts) => {
      const change = { method: 'PUT', parts: ['owners', `@${name}`], what: `@${name}` } as const;
      // Without the header, the registry would change one that exists.
      return read(await send(change, facts, { 'if-none-match': '*' }), Owner);
    },
    setMember: async (owner, account, roles) =>
      acknowledge(
        await send(
          {
            method: 'PUT',
            parts: ['owners', `@${owner}`, 'members', account],
            what: `${account} of @${owner}`,
          },
          { roles },
        ),
      ),
    offerOwner: async (owner, to) =>
      read(
        await send({ method: 'POST', parts: ['owners', `@${owner}`, 'transfer'], what: `@${owner}` }, { to }),
        Transfer,
      ),
    publishers: async (owner) => (await get(['owners', `@${owner}`, 'publishers'], Publishers)).publishers,
    addPublisher: async (owner, wish) =>
      read(
        await send({ method: 'POST', parts: ['owners', `@${owner}`, 'publishers'], what: wish.skill }, wish),
        Publisher,
      ),
    removePublisher: async (owner, id) =>
      acknowledge(
        await send({
          method: 'DELETE',
          parts: ['owners', `@${owner}`, 'publishers', id],
          what: `publisher ${id}`,
        }),
      ),
    invite: async (wish) => {
      const sent = send({ method: 'POST', parts: ['invitations'], what: wish.account }, wish);
      return read(
        await sent.catch((error: unknown) => {
          if (!(error instanceof SkillwrightError) || error.code !== 'E251') throw error;
          // A login never has this scope.
          const page = new URL('settings/tokens', base).href;
          throw error.withHelp(`create a token with scope admin at ${page}, and put it into SKC_TOKEN`);
        }),
        Invitation,
      );
    },
    answerTransfer: async (id, answer) =>
      acknowledge(await send({ method: 'POST', parts: ['transfers', id, answer], what: 'transfer' })),
    publish: async ({ address, version, archive }) => {
      const sent = await sendBytes(
        { method: 'PUT', parts: [...skillParts(address), version], what: `${address}@${version}` },
        {
          body: archive,
          headers: { 'content-type': 'application/gzip', [DIGEST_HEADER]: `sha256:${sha256(archive)}` },
        },
      );
      return read(sent, IndexVersion);
    },
    yank: async (address, version, yanked) =>
      read(
        await send(
          { method: 'PATCH', parts: [...skillParts(address), version], what: `${address}@${version}` },
          { yanked },
        ),
        IndexVersion,
      ),
    changeSkill: async (address, change) =>
      read(await send({ method: 'PATCH', parts: skillParts(address), what: address }, change), SkillIndex),
    rate: async (address, stars) =>
      read(
        stars === null
          ? await send({ method: 'DELETE', parts: [...skillParts(address), 'rating'], what: address })
          : await send(
              { method: 'PUT', parts: [...skillParts(address), 'rating'], what: address },
              { stars },
            ),
        SkillSummary,
      ),
  };
}

const Publishers = z.object({ publishers: z.array(Publisher) });

/** Parts of a path below the protocol's. */
type Parts = readonly string[];

/** The path of `@owner/name`. E100 for anything else. */
function skillParts(address: string): Parts {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw invalidOption(`'${address}' is not @owner/name`);
  return ['skills', `@${parsed.owner}`, parsed.name];
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
