// A registry in memory that speaks the protocol over real HTTP, for tests of its clients.

import type { IncomingMessage, ServerResponse } from 'node:http';
import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';
import { sha256 } from '../src/base/files/hash.ts';
import {
  DeprecateRequest,
  DIGEST_HEADER,
  MAX_PAGE_SIZE,
  type RegistryAdvisory,
  type RegistryErrorCode,
  RegistrySearch,
  RegistrySkill,
  type RegistrySummary,
  RegistryVersion,
  registryErrors,
  YankRequest,
} from '../src/ship/network/registry-protocol.ts';
import { isSemver } from '../src/skill/format/is-semver.ts';
import { isSkillName } from '../src/skill/format/skill-name.ts';
import { type Served, serve } from './serve.ts';

/** A skill the registry starts with. */
export interface SeededSkill extends Partial<Omit<RegistrySummary, 'name' | 'latest'>> {
  /** Versions to the bytes of their archives. */
  readonly versions: Readonly<Record<string, Uint8Array>>;
  /** Versions that are yanked, and why. */
  readonly yanked?: Readonly<Record<string, string>>;
  /** Versions that are held back, and why. */
  readonly quarantined?: Readonly<Record<string, string>>;
  readonly advisories?: readonly RegistryAdvisory[];
}

/** A registry that runs. */
export interface RegistryServer extends Served {
  /** The archive of a version as it was published; undefined when there is none. */
  archiveOf(name: string, version: string): Uint8Array | undefined;
  /** Puts other bytes in the place of an archive, behind the back of its digest. */
  tamper(name: string, version: string, archive: Uint8Array): void;
}

interface Entry {
  summary: Omit<RegistrySummary, 'latest'>;
  advisories: readonly RegistryAdvisory[];
  versions: Map<string, { document: RegistryVersion; archive: Uint8Array }>;
}

const TIME = '2026-01-02T03:04:05.000Z';

/** Starts a registry with these skills. `token` is the one that may publish. */
export async function serveRegistry(
  skills: Readonly<Record<string, SeededSkill>> = {},
  options: { token?: string } = {},
): Promise<RegistryServer> {
  const entries = new Map<string, Entry>();
  for (const [name, seeded] of Object.entries(skills)) {
    const { versions, yanked = {}, quarantined = {}, advisories = [], ...facts } = seeded;
    entryOf(entries, name, facts).advisories = advisories;
    for (const [version, archive] of Object.entries(versions)) {
      const held = { yanked: yanked[version] ?? null, quarantined: quarantined[version] ?? null };
      add(entries, { name, version, archive, facts, ...held });
    }
  }
  const served = await serve((request, response) => answer(request, response, { entries, ...options }));
  return {
    ...served,
    archiveOf: (name, version) => entries.get(name)?.versions.get(version)?.archive,
    tamper(name, version, archive) {
      entries.get(name)!.versions.get(version)!.archive = archive;
    },
  };
}

function add(
  entries: Map<string, Entry>,
  skill: {
    name: string;
    version: string;
    archive: Uint8Array;
    facts?: Partial<RegistrySummary>;
    yanked?: string | null;
    quarantined?: string | null;
  },
): RegistryVersion {
  const { name, version, archive, facts = {}, yanked = null, quarantined = null } = skill;
  const entry = entryOf(entries, name, facts);
  const dist = { url: `${version}/archive`, digest: `sha256:${sha256(archive)}`, size: archive.byteLength };
  const document: RegistryVersion = { name, version, dist, yanked, quarantined, published: TIME };
  entry.versions.set(version, { document, archive });
  return document;
}

/** The entry of a name, made when there is none. */
function entryOf(entries: Map<string, Entry>, name: string, facts: Partial<RegistrySummary>): Entry {
  const entry: Entry = entries.get(name) ?? {
    summary: {
      name,
      description: `Use when testing ${name}.`,
      owner: 'someone',
      level: 'community',
      rating: null,
      downloads: 0,
      license: null,
      repository: null,
      homepage: null,
      tags: [],
      category: 'other',
      deprecated: null,
      updated: TIME,
      ...facts,
    },
    advisories: [],
    versions: new Map(),
  };
  entries.set(name, entry);
  return entry;
}

function summaryOf({ summary, versions }: Entry): RegistrySummary {
  const usable = [...versions.values()]
    .filter(
      ({ document }) =>
        document.yanked === null && document.quarantined === null && prerelease(document.version) === null,
    )
    .map(({ document }) => document.version)
    .sort(compare);
  return { ...summary, latest: usable.at(-1) ?? null };
}

function skillOf(entry: Entry): RegistrySkill {
  const versions = [...entry.versions.values()]
    .map(({ document }) => document)
    .sort((a, b) => compare(b.version, a.version));
  return RegistrySkill.parse({ ...summaryOf(entry), versions, advisories: entry.advisories, created: TIME });
}

class Refusal extends Error {
  readonly code: RegistryErrorCode;
  constructor(code: RegistryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

interface World {
  readonly entries: Map<string, Entry>;
  readonly token?: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, world: World): Promise<void> {
  const send = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  try {
    const url = new URL(request.url ?? '/', 'http://registry');
    const [api, v1, kind, name, version, last, ...rest] = url.pathname
      .split('/')
      .slice(1)
      .map(decodeURIComponent);
    if (api !== 'api' || v1 !== 'v1' || rest.length > 0) throw new Refusal('not_found', 'no such address');
    if (kind === 'search' && name === undefined) return send(200, search(url.searchParams, world));
    if (kind !== 'skills' || name === undefined) throw new Refusal('not_found', 'no such address');
    const entry = world.entries.get(name);
    if (request.method === 'PUT' && version !== undefined && last === undefined)
      return send(201, await publish(request, { name, version, world }));
    if (entry === undefined) throw new Refusal('not_found', `no skill '${name}'`);
    if (request.method === 'PATCH') return send(200, await change(request, { entry, version, world }));
    if (version === undefined) return send(200, skillOf(entry));
    const found = entry.versions.get(version);
    if (found === undefined) throw new Refusal('not_found', `no version '${version}' of '${name}'`);
    if (last === undefined) return send(200, RegistryVersion.parse(found.document));
    if (last !== 'archive') throw new Refusal('not_found', 'no such address');
    response.writeHead(200, { 'content-type': 'application/gzip' }).end(found.archive);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send(registryErrors[error.code], { error: { code: error.code, message: error.message } });
  }
}

function search(query: URLSearchParams, { entries }: World): RegistrySearch {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)];
  if (!Number.isInteger(page) || page < 1 || !Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    throw new Refusal('bad_request', 'page and limit must be numbers in their range');
  const found = [...entries.values()].map(summaryOf).filter(({ name, description, tags }) => {
    const text = `${name} ${description} ${tags.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const skills = found.slice((page - 1) * limit, page * limit);
  return RegistrySearch.parse({ total: found.length, page, limit, skills });
}

function checkToken(request: IncomingMessage, { token }: World): void {
  const { authorization } = request.headers;
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
  { name, version, world }: { name: string; version: string; world: World },
): Promise<RegistryVersion> {
  const archive = await bodyOf(request);
  checkToken(request, world);
  if (!isSkillName(name) || !isSemver(version)) throw new Refusal('bad_request', 'no name or no version');
  if (request.headers[DIGEST_HEADER] !== `sha256:${sha256(archive)}`)
    throw new Refusal('digest_mismatch', 'the body is not what its digest promises');
  if (world.entries.get(name)?.versions.has(version))
    throw new Refusal('version_exists', `${name}@${version} exists and is never replaced`);
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) throw new Refusal('invalid_skill', 'not a .tar.gz');
  return add(world.entries, { name, version, archive });
}

async function change(
  request: IncomingMessage,
  { entry, version, world }: { entry: Entry; version: string | undefined; world: World },
): Promise<RegistryVersion | RegistrySkill> {
  const value: unknown = JSON.parse((await bodyOf(request)).toString());
  checkToken(request, world);
  if (version === undefined) {
    entry.summary = { ...entry.summary, ...DeprecateRequest.parse(value) };
    return skillOf(entry);
  }
  const found = entry.versions.get(version);
  if (found === undefined) throw new Refusal('not_found', `no version '${version}'`);
  found.document = { ...found.document, ...YankRequest.parse(value) };
  return found.document;
}
