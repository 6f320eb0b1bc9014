// A registry in memory that speaks the protocol over real HTTP, with a real log, for tests of its clients.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';
import satisfies from 'semver/functions/satisfies.js';
import { sha256 } from '../src/base/files/hash.ts';
import { originOf } from '../src/ship/log/index.ts';
import {
  DIGEST_HEADER,
  type IndexVersion,
  type Installable,
  type InstallReason,
  parseAddress,
  type RegistryAdvisory,
  type RegistryErrorCode,
  registryErrors,
  SearchPage,
  SearchQuery,
  SkillChange,
  SkillIndex,
  type SkillSummary,
  StatesRequest,
  StatesResponse,
  VersionDocument,
  type VersionFile,
  YankRequest,
} from '../src/ship/protocol/index.ts';
import { isSemver } from '../src/skill/format/version.ts';
import { type Served, serve } from './serve.ts';
import { TestLog } from './test-log.ts';

type Reasons = Readonly<Record<string, string>>;

/** A skill the registry starts with. Tables have a version and a reason. */
export interface SeededSkill extends Partial<Omit<SkillSummary, 'name' | 'latest'>> {
  /** Versions to the bytes of their archives. */
  readonly versions: Readonly<Record<string, Uint8Array>>;
  readonly yanked?: Reasons;
  readonly quarantined?: Reasons;
  readonly purged?: Reasons;
  readonly pending?: Reasons;
  readonly rejected?: Reasons;
  readonly young?: Reasons;
  /** Versions of skc that can install a version. */
  readonly client?: Reasons;
  readonly advisories?: readonly RegistryAdvisory[];
}

/** A changed answer: the handler gets the right one. */
export type Forgery = (right: { status: number; headers: Record<string, string>; body: Buffer }) => {
  status?: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
};

/** A registry that runs. */
export interface RegistryServer extends Served {
  readonly log: TestLog;
  /** Verifier key of its log. */
  readonly key: string;
  /** The archive of a version as it was published; undefined when there is none. */
  archiveOf(name: string, version: string): Uint8Array | undefined;
  /** Puts other bytes in the place of an archive, behind the back of its digest. */
  tamper(name: string, version: string, archive: Uint8Array): void;
  /** Publishes a version, or gives facts to one. */
  publish(name: string, version: string, archive: Uint8Array): Promise<void>;
  /** Sets or, with null, removes a state. */
  mark(name: string, version: string, state: State, reason: string | null): void;
  /** Sends other answers for a path, or for all below one that ends with a slash. */
  forge(path: string, forgery: Forgery): void;
}

const stateNames = ['purged', 'quarantined', 'rejected', 'pending', 'yanked', 'too-young'] as const;
type State = (typeof stateNames)[number];

interface Version {
  document: VersionDocument;
  bytes: Buffer;
  archive: Uint8Array;
  leaf: number;
  states: Map<State, string>;
}

interface Entry {
  summary: Omit<SkillSummary, 'latest'>;
  advisories: readonly RegistryAdvisory[];
  versions: Map<string, Version>;
}

const TIME = '2026-01-02T03:04:05.000Z';

interface World {
  readonly entries: Map<string, Entry>;
  readonly log: TestLog;
  /** The token that may publish and read private skills. */
  readonly token?: string | undefined;
  clock: number;
}

/** Starts a registry with these skills, by `@owner/name`. `token` is the one that may publish. */
export async function serveRegistry(
  skills: Readonly<Record<string, SeededSkill>> = {},
  options: { token?: string; origin?: string } = {},
): Promise<RegistryServer> {
  const log = new TestLog(options.origin ?? 'registry.test');
  const world: World = { entries: new Map(), log, token: options.token, clock: Date.parse(TIME) };
  for (const [name, seeded] of Object.entries(skills)) {
    const { versions, advisories = [], client = {}, ...rest } = seeded;
    const { yanked, quarantined, purged, pending, rejected, young, ...facts } = rest;
    entryOf(world, name, facts).advisories = advisories;
    for (const [version, archive] of Object.entries(versions)) {
      const added = await add(world, { name, version, archive, client: client[version] });
      const marks = { yanked, quarantined, purged, pending, rejected, 'too-young': young };
      for (const state of stateNames) {
        const reason = marks[state]?.[version];
        if (reason !== undefined) added.states.set(state, reason);
      }
    }
  }
  const forged = new Map<string, Forgery>();
  const served = await serve(async (request, response) => {
    const right = await answer(request, world);
    const forgery = [...forged].find(([path]) =>
      path.endsWith('/') ? request.url?.startsWith(path) : request.url === path,
    )?.[1];
    send(response, forgery === undefined ? right : { ...right, ...forgery(right) });
  });
  const versionOf = (name: string, version: string) => world.entries.get(name)!.versions.get(version)!;
  return {
    ...served,
    log,
    get key() {
      return log.key.verifier;
    },
    archiveOf: (name, version) => world.entries.get(name)?.versions.get(version)?.archive,
    tamper(name, version, archive) {
      versionOf(name, version).archive = archive;
    },
    async publish(name, version, archive) {
      await add(world, { name, version, archive });
    },
    mark(name, version, state, reason) {
      touch(world, name);
      const { states } = versionOf(name, version);
      if (reason === null) states.delete(state);
      else states.set(state, reason);
    },
    forge: (path, forgery) => void forged.set(path, forgery),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

function send(
  response: ServerResponse,
  { status, headers, body }: Omit<Answer, 'body'> & { body: Buffer | string },
) {
  response.writeHead(status, headers).end(status === 304 ? undefined : body);
}

function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

class Refusal extends Error {
  readonly code: RegistryErrorCode;
  constructor(code: RegistryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

async function answer(request: IncomingMessage, world: World): Promise<Answer> {
  const body = await bodyOf(request);
  try {
    return await route(request, body, world);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return json(registryErrors[error.code], { error: { code: error.code, message: error.message } });
  }
}

async function route(request: IncomingMessage, body: Buffer, world: World): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://registry');
  const parts = url.pathname.split('/').slice(1).map(decodeURIComponent);
  if (parts[0] === 'log') return logAnswer(parts.slice(1).join('/'), world);
  const [api, v1, kind, owner, name, version, last, ...rest] = parts;
  const nothing = new Refusal('not_found', 'no such address');
  if (api !== 'api' || v1 !== 'v1' || rest.length > 0) throw nothing;
  if (kind === 'search' && owner === undefined) return json(200, search(url.searchParams, request, world));
  if (kind === 'states' && request.method === 'POST') return json(200, states(body, request, world));
  if (kind === 'archives' && owner !== undefined) return archiveAnswer(owner, world);
  if (kind !== 'skills' || owner === undefined || name === undefined) throw nothing;
  const address = `${owner}/${name}`;
  if (request.method === 'PUT' && version !== undefined)
    return json(201, await publish(request, body, { name: address, version, world }));
  const entry = world.entries.get(address);
  if (entry === undefined || !maySee(entry, request, world))
    throw new Refusal('not_found', `no skill '${address}'`);
  if (request.method === 'PATCH') return json(200, change(request, body, { entry, version, world }));
  if (version === undefined) return indexAnswer(entry, request);
  const found = entry.versions.get(version);
  if (found === undefined) throw new Refusal('not_found', `no version '${version}' of '${address}'`);
  if (last === 'proof') {
    const text = Buffer.from(await world.log.proof(found.leaf));
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: text };
  }
  if (last !== undefined) throw nothing;
  return { status: 200, headers: { 'content-type': 'application/json' }, body: found.bytes };
}

async function logAnswer(path: string, { log }: World): Promise<Answer> {
  const text = (body: string): Answer => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from(body),
  });
  if (path === 'checkpoint' || path === 'newest') return text(await log.checkpoint());
  if (path === 'key') return text(`${log.key.verifier}\n`);
  const start = `${originOf('log', log.generation)}/tile/`.slice('log/'.length);
  const tile = path.startsWith(start) ? await log.tile(path.slice(start.length)) : undefined;
  if (tile === undefined) throw new Refusal('not_found', 'no such tile');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from(tile) };
}

const maySee = ({ summary }: Entry, { headers }: IncomingMessage, { token }: World) =>
  summary.visibility === 'public' || (token !== undefined && headers.authorization === `Bearer ${token}`);

function archiveAnswer(digest: string, { entries }: World): Answer {
  for (const { versions } of entries.values())
    for (const { document, archive, states } of versions.values()) {
      if (document.archive.digest !== digest) continue;
      for (const state of ['purged', 'quarantined'] as const)
        if (states.has(state)) throw new Refusal(state, states.get(state)!);
      return { status: 200, headers: { 'content-type': 'application/gzip' }, body: Buffer.from(archive) };
    }
  throw new Refusal('not_found', 'no such archive');
}

function indexAnswer(entry: Entry, { headers }: IncomingMessage): Answer {
  const right = json(200, indexOf(entry));
  const etag = `"${sha256(right.body).slice(0, 16)}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) };
  return { ...right, headers: { ...right.headers, etag } };
}

/** A later time: the index of a skill that changed is newer. */
function touch(world: World, name: string): void {
  world.clock += 1000;
  const entry = world.entries.get(name)!;
  entry.summary = { ...entry.summary, updated: new Date(world.clock).toISOString() };
}

async function add(
  world: World,
  skill: { name: string; version: string; archive: Uint8Array; client?: string | undefined },
): Promise<Version> {
  const { name, version, archive, client = null } = skill;
  const entry = entryOf(world, name, {});
  if (entry.versions.size > 0) touch(world, name);
  const files = filesIn(archive);
  const document = VersionDocument.parse({
    schema: 1,
    name,
    version,
    description: entry.summary.description,
    license: entry.summary.license,
    client,
    archive: { digest: `sha256:${sha256(archive)}`, size: archive.byteLength },
    unpacked: files.reduce((sum, { size }) => sum + size, 0),
    files,
    scan: { verdict: 'clean', engine: 'skc 0.0.0', scanned: TIME, flags: [] },
    published: TIME,
    publishedBy: 'someone',
    provenance: null,
  });
  const bytes = Buffer.from(JSON.stringify(document));
  const leaf = await world.log.append(
    {
      kind: 'version',
      name,
      version,
      document: `sha256:${sha256(bytes)}`,
      archive: document.archive.digest,
    },
    entry.summary.visibility === 'public' ? null : Buffer.alloc(32, 7),
  );
  const added: Version = { document, bytes, archive, leaf, states: new Map() };
  entry.versions.set(version, added);
  return added;
}

/** The files of a plain tar.gz; none when it is something else. */
function filesIn(archive: Uint8Array): VersionFile[] {
  const files: VersionFile[] = [];
  let tar: Buffer;
  try {
    tar = gunzipSync(archive);
  } catch {
    return [];
  }
  const text = (start: number, length: number) =>
    tar.toString('utf8', start, start + length).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    const prefix = text(at + 345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${text(at, 100)}`;
    const type = text(at + 156, 1);
    const bytes = tar.subarray(at + 512, at + 512 + size);
    if (type === '0' || type === '') files.push({ path, digest: `sha256:${sha256(bytes)}`, size });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files.filter(({ path }) => path !== '').sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The entry of a name, made when there is none. */
function entryOf({ entries }: World, name: string, facts: Partial<SkillSummary>): Entry {
  const entry: Entry = entries.get(name) ?? {
    summary: {
      name,
      description: `Use when testing ${parseAddress(name)?.name}.`,
      visibility: 'public',
      level: 'community',
      rating: null,
      downloads: 0,
      license: null,
      repository: null,
      homepage: null,
      tags: [],
      category: null,
      deprecated: null,
      created: TIME,
      updated: TIME,
      ...facts,
    },
    advisories: [],
    versions: new Map(),
  };
  entries.set(name, entry);
  return entry;
}

function installableOf({ states }: Version): Installable {
  const reasons: InstallReason[] = stateNames.flatMap((code) =>
    states.has(code) ? [{ code, message: states.get(code)! }] : [],
  );
  const isExact = ({ code }: InstallReason) => code === 'yanked' || code === 'too-young';
  return { answer: reasons.length === 0 ? 'yes' : reasons.every(isExact) ? 'exact' : 'no', reasons };
}

function versionsOf({ versions }: Entry): IndexVersion[] {
  return [...versions.values()]
    .map((one) => ({
      version: one.document.version,
      archive: one.document.archive.digest,
      document: `sha256:${sha256(one.bytes)}`,
      published: TIME,
      yanked: one.states.get('yanked') ?? null,
      quarantined: one.states.get('quarantined') ?? null,
      purged: one.states.get('purged') ?? null,
      installable: installableOf(one),
    }))
    .sort((a, b) => compare(b.version, a.version));
}

function summaryOf(entry: Entry): SkillSummary {
  const latest = versionsOf(entry).find(
    ({ version, installable }) => installable.answer === 'yes' && prerelease(version) === null,
  );
  return { ...entry.summary, latest: latest?.version ?? null };
}

function indexOf(entry: Entry): SkillIndex {
  return SkillIndex.parse({
    schema: 1,
    ...summaryOf(entry),
    versions: versionsOf(entry),
    advisories: entry.advisories,
  });
}

function search(params: URLSearchParams, request: IncomingMessage, world: World): SearchPage {
  const parsed = SearchQuery.safeParse(Object.fromEntries(params));
  if (!parsed.success) throw new Refusal('bad_request', 'not a search');
  const { q, owner, tag, category, level, limit, cursor = '0' } = parsed.data;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...world.entries.values()]
    .filter((entry) => maySee(entry, request, world))
    .map(summaryOf)
    .filter(({ name, description, tags, ...skill }) => {
      const text = `${name} ${description} ${tags.join(' ')}`.toLowerCase();
      return (
        words.every((word) => text.includes(word)) &&
        (owner === undefined || parseAddress(name)?.owner === owner) &&
        (tag === undefined || tags.includes(tag)) &&
        (category === undefined || skill.category === category) &&
        (level === undefined || skill.level === level)
      );
    });
  const start = Number(cursor);
  const skills = found
    .slice(start, start + limit)
    .map((skill) => ({ ...skill, score: 1, reason: 'text' as const }));
  const next = start + limit < found.length ? String(start + limit) : null;
  return SearchPage.parse({ total: found.length, isTotalExact: true, skills, next });
}

function states(body: Buffer, request: IncomingMessage, world: World): StatesResponse {
  const parsed = StatesRequest.safeParse(JSON.parse(body.toString()));
  if (!parsed.success) throw new Refusal('bad_request', 'at most 100 versions');
  return StatesResponse.parse({
    states: parsed.data.installed.map(({ name, version }) => {
      const entry = world.entries.get(name);
      const found = entry?.versions.get(version);
      if (entry === undefined || found === undefined || !maySee(entry, request, world))
        return {
          ...{ name, version, known: false, latest: null, deprecated: null, installable: null },
          ...{ level: null, rating: null, downloads: null, versions: [], advisories: [] },
        };
      const { latest, deprecated, level, rating, downloads } = summaryOf(entry);
      return {
        ...{ name, version, known: true, latest, deprecated, level, rating, downloads },
        installable: installableOf(found),
        versions: versionsOf(entry)
          .filter(({ installable }) => installable.answer === 'yes')
          .map((one) => one.version),
        advisories: entry.advisories.filter(({ affected }) => satisfies(version, affected)),
      };
    }),
  });
}

function checkToken({ headers: { authorization } }: IncomingMessage, { token }: World): void {
  if (authorization === undefined) throw new Refusal('unauthorised', 'a token is needed');
  if (token === undefined || authorization !== `Bearer ${token}`)
    throw new Refusal('forbidden', 'this token may not do that');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function publish(
  request: IncomingMessage,
  archive: Buffer,
  { name, version, world }: { name: string; version: string; world: World },
): Promise<IndexVersion> {
  checkToken(request, world);
  if (parseAddress(name) === undefined || !isSemver(version))
    throw new Refusal('bad_request', 'no name or no version');
  if (request.headers[DIGEST_HEADER] !== `sha256:${sha256(archive)}`)
    throw new Refusal('digest_mismatch', 'the body is not what its digest promises');
  if (world.entries.get(name)?.versions.has(version))
    throw new Refusal('version_exists', `${name}@${version} exists and is never replaced`);
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) throw new Refusal('invalid_skill', 'not a .tar.gz');
  await add(world, { name, version, archive });
  return versionsOf(world.entries.get(name)!).find((one) => one.version === version)!;
}

function change(
  request: IncomingMessage,
  body: Buffer,
  { entry, version, world }: { entry: Entry; version: string | undefined; world: World },
): IndexVersion | SkillIndex {
  checkToken(request, world);
  const value: unknown = JSON.parse(body.toString());
  touch(world, entry.summary.name);
  if (version === undefined) {
    const { deprecated = entry.summary.deprecated } = SkillChange.parse(value);
    entry.summary = { ...entry.summary, deprecated };
    return indexOf(entry);
  }
  const found = entry.versions.get(version);
  if (found === undefined) throw new Refusal('not_found', `no version '${version}'`);
  const { yanked } = YankRequest.parse(value);
  if (yanked === null) found.states.delete('yanked');
  else found.states.set('yanked', yanked);
  return versionsOf(entry).find((one) => one.version === version)!;
}
