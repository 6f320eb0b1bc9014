// The part of a registry that knows accounts, over real HTTP: device login, tokens, owners, ratings and changes to skills.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { sha256 } from '../src/base/files/hash.ts';
import { generateLogKey } from '../src/ship/log/index.ts';
import {
  DIGEST_HEADER,
  type IndexVersion,
  MemberRequest,
  type Owner,
  OwnerRequest,
  RatingRequest,
  type RegistryErrorCode,
  type Role,
  registryErrors,
  SkillChange,
  type SkillIndex,
  type TokenInfo,
  TokenRequest,
  type Transfer,
  TransferRequest,
  type Whoami,
  YankRequest,
} from '../src/ship/protocol/index.ts';
import { type Served, serve } from './serve.ts';

const TIME = '2026-01-02T03:04:05.000Z';
const LATER = '2099-01-02T03:04:05.000Z';

/** Sixteen characters that a test can look for wherever nothing secret may stand. */
export const SECRET = 'skr_s3cr3tSECRET';

/** The key that the registry offers for its log. */
export const LOG_KEY = generateLogKey('skills.example').verifier;

/** A response that takes the place of the usual one. */
export type Interruption = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Everything the server knows; tests may change it. */
export interface AccountWorld {
  /** Tokens by their secret, and the account of each. */
  readonly tokens: Map<string, TokenInfo & { account: string }>;
  readonly owners: Map<string, { owner: Owner; members: Map<string, Role[]> }>;
  readonly transfers: Map<string, Transfer>;
  readonly ratings: Map<string, number>;
  readonly skill: SkillIndex;
  /** Answers of `/oauth/token` to a device code, one per request; the last one repeats. */
  device: (string | { readonly status: number; readonly body: string })[];
  /** Identity tokens that are exchanged for a token. */
  readonly identities: Set<string>;
  /** Versions that were published: `@acme/pdf@1.0.0` to the bytes of the archive. */
  readonly published: Map<string, Buffer>;
  /** Whether new versions wait for a reviewer. */
  isReviewed: boolean;
  /** The key of the log; undefined: there is none. */
  logKey: string | undefined;
  /** Headers, paths and bodies of requests, for tests of what is sent where. */
  readonly seen: { line: string; authorization: string | undefined; body: string }[];
  interrupt: Interruption | undefined;
}

/** A server that answers. */
export interface AccountServer extends Served {
  readonly world: AccountWorld;
  /** Answers a request for the routes of accounts; false for every other. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

/** A world with one account, `alice`, her token, and the skill `@acme/pdf`. */
function makeAccountWorld(): AccountWorld {
  const token: TokenInfo & { account: string } = {
    id: 'tok_1',
    name: 'skc login',
    prefix: 'skr_s3',
    scopes: ['read', 'publish', 'rate', 'owner'],
    owner: null,
    created: TIME,
    expires: LATER,
    used: null,
    account: 'alice',
  };
  return {
    tokens: new Map([[SECRET, token]]),
    owners: new Map(),
    transfers: new Map(),
    ratings: new Map(),
    skill: {
      schema: 1,
      name: '@acme/pdf',
      description: 'Use when testing pdf.',
      visibility: 'private',
      level: 'community',
      rating: null,
      downloads: 0,
      latest: '1.2.0',
      license: 'MIT',
      repository: null,
      homepage: null,
      tags: [],
      category: null,
      deprecated: null,
      created: TIME,
      updated: TIME,
      versions: [
        {
          version: '1.2.0',
          archive: `sha256:${'a'.repeat(64)}`,
          document: `sha256:${'b'.repeat(64)}`,
          published: TIME,
          yanked: null,
          quarantined: null,
          purged: null,
          installable: { answer: 'yes', reasons: [] },
        },
      ],
      advisories: [],
    },
    device: ['ok'],
    identities: new Set(),
    published: new Map(),
    isReviewed: false,
    logKey: LOG_KEY,
    seen: [],
    interrupt: undefined,
  };
}

/** Starts the server. */
export async function serveAccounts(world: AccountWorld = makeAccountWorld()): Promise<AccountServer> {
  const handle = (request: IncomingMessage, response: ServerResponse) => answer(request, response, world);
  const served = await serve(async (request, response) => {
    if (!(await handle(request, response))) response.writeHead(404).end('nothing here');
  });
  return { ...served, world, handle };
}

class Refusal extends Error {
  readonly code: RegistryErrorCode;
  constructor(code: RegistryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  world: AccountWorld,
): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const body = bytes.toString();
  const { authorization } = request.headers;
  world.seen.push({ line: `${request.method} ${request.url}`, authorization, body });
  if (world.interrupt?.(request, response)) return true;
  const send = (status: number, value: unknown): true => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    return true;
  };
  const url = new URL(request.url ?? '/', 'http://registry');
  const path = decodeURIComponent(url.pathname);
  if (path === '/log/key') {
    if (world.logKey === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(`${world.logKey}\n`);
    return true;
  }
  if (path.startsWith('/oauth/')) return oauth(path, new URLSearchParams(body), { world, send, request });
  if (!path.startsWith('/api/v1/')) return false;
  try {
    const account = world.tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
    if (account === undefined) throw new Refusal('unauthorised', 'the token is not valid');
    const [, address, version] = /^\/api\/v1\/skills\/(@[\w-]+\/[\w-]+)\/(\d[^/]*)$/.exec(path) ?? [];
    if (request.method === 'PUT' && address !== undefined && version !== undefined) {
      if (request.headers[DIGEST_HEADER] !== `sha256:${sha256(bytes)}`)
        throw new Refusal('digest_mismatch', 'the body does not match its digest');
      return send(201, publish(`${address}@${version}`, bytes, world));
    }
    const result = route({
      method: request.method!,
      path: path.slice('/api/v1'.length),
      value: body === '' ? undefined : JSON.parse(body),
      account,
      world,
    });
    if (result === undefined) return false;
    return send(result.status ?? 200, result.value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return send(registryErrors[error.code], { error: { code: error.code, message: error.message } });
  }
}

function publish(name: string, archive: Buffer, world: AccountWorld): IndexVersion {
  if (world.published.has(name)) throw new Refusal('version_exists', `${name} exists and is never replaced`);
  world.published.set(name, archive);
  const pending = { code: 'pending' as const, message: 'waits for a reviewer' };
  return {
    ...world.skill.versions[0]!,
    version: name.slice(name.lastIndexOf('@') + 1),
    installable: world.isReviewed ? { answer: 'no', reasons: [pending] } : { answer: 'yes', reasons: [] },
  };
}

function oauth(
  path: string,
  form: URLSearchParams,
  {
    world,
    send,
    request,
  }: { world: AccountWorld; send(status: number, value: unknown): true; request: IncomingMessage },
): true {
  const base = `http://${request.headers.host}`;
  if (path === '/oauth/device_authorization')
    return send(200, {
      device_code: 'device-1',
      user_code: 'WDJB-MJHT',
      verification_uri: `${base}/device`,
      verification_uri_complete: `${base}/device?code=WDJB-MJHT`,
      expires_in: 600,
      interval: 5,
    });
  if (path !== '/oauth/token') return send(404, { error: 'invalid_request' });
  const issued = { access_token: SECRET, token_type: 'Bearer', scope: 'read publish rate owner' };
  if (form.get('grant_type')?.endsWith('token-exchange')) {
    if (!world.identities.has(form.get('subject_token') ?? ''))
      return send(400, { error: 'invalid_grant', error_description: 'no publisher matches this identity' });
    return send(200, { ...issued, expires_in: 900, scope: 'publish' });
  }
  const next = world.device.length > 1 ? world.device.shift()! : world.device[0]!;
  if (typeof next === 'object') return send(next.status, JSON.parse(next.body));
  return next === 'ok' ? send(200, issued) : send(400, { error: next });
}

interface Routed {
  readonly method: string;
  readonly path: string;
  readonly value: unknown;
  readonly account: TokenInfo & { account: string };
  readonly world: AccountWorld;
}

function route({
  method,
  path,
  value,
  account,
  world,
}: Routed): { status?: number; value: unknown } | undefined {
  const me = account.account;
  const is = (pattern: RegExp, wanted: string) => (method === wanted ? pattern.exec(path) : null);
  if (is(/^\/whoami$/, 'GET')) return { value: whoami(account, world) };
  if (is(/^\/tokens$/, 'GET')) {
    const own = [...world.tokens.values()].filter((token) => token.account === me);
    return { value: { tokens: own.map(({ account: _, ...info }) => info) } };
  }
  if (is(/^\/tokens$/, 'POST')) {
    const wish = TokenRequest.parse(value);
    const secret = `skr_new${world.tokens.size}NEWNEWNEW`;
    const info: TokenInfo = {
      id: `tok_${world.tokens.size + 1}`,
      name: wish.name,
      prefix: secret.slice(0, 6),
      scopes: wish.scopes,
      owner: wish.owner,
      created: TIME,
      expires: wish.days === null ? null : LATER,
      used: null,
    };
    world.tokens.set(secret, { ...info, account: me });
    return { status: 201, value: { ...info, token: secret } };
  }
  const revoked = is(/^\/tokens\/(.+)$/, 'DELETE')?.[1];
  if (revoked !== undefined) {
    const found = [...world.tokens].find(([, { id }]) => id === revoked);
    if (found === undefined) throw new Refusal('not_found', 'no such token');
    world.tokens.delete(found[0]);
    return { value: {} };
  }
  const rated = is(/^\/skills\/(@\w+\/\w+)\/rating$/, method)?.[1];
  if (rated !== undefined) {
    if (method === 'DELETE') world.ratings.delete(rated);
    else world.ratings.set(rated, RatingRequest.parse(value).stars);
    const stars = world.ratings.get(rated);
    const { versions: _, advisories: __, schema: ___, ...summary } = world.skill;
    return { value: { ...summary, rating: stars === undefined ? null : { mean: stars, count: 1 } } };
  }
  const changed = is(/^\/skills\/@acme\/pdf(?:\/(.+))?$/, 'PATCH');
  if (changed !== null) {
    if (changed[1] === undefined) return { value: Object.assign(world.skill, SkillChange.parse(value)) };
    const version = world.skill.versions.find((one) => one.version === changed[1]);
    if (version === undefined) throw new Refusal('not_found', `no version '${changed[1]}'`);
    return { value: Object.assign(version, YankRequest.parse(value)) };
  }
  return ownerRoute({ method, path, value, account, world });
}

function ownerRoute({ method, path, value, account, world }: Routed): { value: unknown } | undefined {
  const me = account.account;
  const [, name, member] = /^\/owners\/@([\w-]+)(?:\/members\/(.+)|\/transfer)?$/.exec(path) ?? [];
  const [, id, decision] = /^\/transfers\/(\w+)\/(accept|decline)$/.exec(path) ?? [];
  if (id !== undefined) {
    const transfer = world.transfers.get(id);
    if (transfer === undefined || transfer.to !== me) throw new Refusal('not_found', 'no such offer');
    world.transfers.delete(id);
    const { members } = world.owners.get(transfer.owner) ?? {};
    if (decision === 'accept' && transfer.roles !== undefined) members?.set(me, transfer.roles);
    else if (decision === 'accept')
      world.owners.get(transfer.owner)!.members = new Map([[me, ['admin']]]) as never;
    return { value: transfer };
  }
  if (name === undefined) return undefined;
  const found = world.owners.get(name);
  if (method === 'PUT' && member === undefined) {
    if (found !== undefined) throw new Refusal('name_taken', `@${name} is taken`);
    const facts = OwnerRequest.parse(value);
    const owner: Owner = { name, ...facts, created: TIME, skills: 0 };
    world.owners.set(name, { owner, members: new Map([[me, ['admin']]]) });
    return { value: show(name, world) };
  }
  if (found === undefined) throw new Refusal('not_found', `no owner '@${name}'`);
  if (method === 'GET') return { value: show(name, world) };
  if (!found.members.get(me)?.includes('admin')) throw new Refusal('forbidden', 'you are not an admin of it');
  if (member !== undefined) {
    const { roles } = MemberRequest.parse(value);
    if (roles.length === 0) found.members.delete(member);
    else found.members.set(member, roles);
    return { value: show(name, world) };
  }
  const { to } = TransferRequest.parse(value);
  const transfer: Transfer = {
    id: `tr${world.transfers.size + 1}`,
    owner: name,
    from: me,
    to,
    expires: LATER,
  };
  world.transfers.set(transfer.id, transfer);
  return { value: transfer };
}

function show(name: string, { owners }: AccountWorld): Owner {
  const { owner, members } = owners.get(name)!;
  return { ...owner, members: [...members].map(([account, roles]) => ({ account, roles })) };
}

function whoami(token: TokenInfo & { account: string }, { owners, transfers }: AccountWorld): Whoami {
  const { id, name, scopes, expires, account } = token;
  return {
    account,
    displayName: account === 'alice' ? 'Alice A.' : account,
    isAdmin: false,
    token: { id, name, scopes, expires },
    owners: [...owners].flatMap(([owner, { members }]) =>
      members.has(account) ? [{ name: owner, roles: members.get(account)! }] : [],
    ),
    transfers: [...transfers.values()].filter(({ to }) => to === account),
  };
}
