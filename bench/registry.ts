// The registry with 30,000 skills on PostgreSQL: import, search at 50 connections, reading one section, memory.
// usage: node bench/registry.ts [--skills <n>]

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { assets } from 'skillwright/pages';
import { anonymous } from '../packages/registry/src/access/caller.ts';
import { createFirstAdmin } from '../packages/registry/src/accounts/first-start.ts';
import { importSkills } from '../packages/registry/src/import/import-skills.ts';
import { openRegistry, type Registry } from '../packages/registry/src/registry.ts';
import { Settings } from '../packages/registry/src/settings/settings.ts';
import { openPostgres } from '../packages/registry/src/store/open-postgres.ts';
import { insertSkill } from '../packages/registry/test/insert-skill.ts';
import { findPostgres, startPostgres } from '../packages/registry/test/postgres-server.ts';
import type { Figure } from './figure.ts';
import { insertMany } from './registry-import.ts';
import { measureRegistryQuality } from './registry-quality.ts';
import { type BenchSkill, benchData, makeSkills, unpackRealSkills } from './registry-skills.ts';
import { inWorkplace, node, repository, write } from './workplace.ts';

const SKILLS = Number(process.argv[process.argv.indexOf('--skills') + 1]) || 30_000;
/** Skills that are published with archive and index; the others have rows and words alone. */
const PUBLISHED = 30;
const SAMPLE = 200;
const CONNECTIONS = 50;
const SECONDS = 8;
/** Skills imported from a directory, with archive, scan, section index and log. */
const IMPORTED = 2000;

/** Every figure of the registry; none without PostgreSQL. */
export function measureRegistry(): Promise<Figure[]> {
  if (findPostgres() === undefined) return Promise.resolve([]);
  return inWorkplace(async (directory) => {
    const real = unpackRealSkills(directory);
    if (!real)
      console.error('registry: the real skills are not on this machine; measured with invented ones');
    const skills = makeSkills(directory, SKILLS + PUBLISHED + SAMPLE);
    return [...(await measureServer(skills)), ...(await measureRegistryQuality())];
  });
}

async function measureServer(skills: readonly BenchSkill[]): Promise<Figure[]> {
  const postgres = startPostgres();
  const data = mkdtempSync(join(tmpdir(), 'skw-bench-'));
  const root = openPostgres(postgres.urlOf('postgres'), { connections: 1 });
  await root.query('create database registry');
  await root.close();
  const databaseUrl = postgres.urlOf('registry');
  const registry = await openRegistry(Settings.parse({ data, databaseUrl }));
  await createFirstAdmin(registry);
  let server: RunningServer | undefined;
  try {
    const published = skills.slice(0, PUBLISHED);
    for (const skill of published) await publish(registry, skill);
    server = await startServer(data, databaseUrl);
    const [first] = published;
    const section = `/api/v1/read/@${first!.owner}/${first!.name}/outline`;
    const few = await load(server, { paths: [section], connections: 1 });
    const bulk = await rate(skills.slice(PUBLISHED + SAMPLE), (many) => insertMany(registry, many));
    const single = await rate(skills.slice(PUBLISHED, PUBLISHED + SAMPLE), async (many) => {
      for (const skill of many) await publish(registry, skill);
    });
    const imported = await measureImport(registry, skills.slice(-IMPORTED));
    await registry.database.query('vacuum analyze');
    const many = await load(server, { paths: [section], connections: 1 });
    const baseline = await load(server, { paths: ['/readyz'], connections: CONNECTIONS });
    const searches = queriesFor(skills).map((q) => `/api/v1/search?${new URLSearchParams({ q })}`);
    await load(server, { paths: searches, connections: CONNECTIONS });
    const searched = await load(server, { paths: searches, connections: CONNECTIONS });
    const memory = residentMegabytes(server.process.pid!);
    return [
      speed(`registry, import of ${IMPORTED} skills with all checks`, imported, 200),
      speed(`registry, ${SKILLS} skills into the database with their words`, bulk, undefined),
      speed('registry, publications one by one with archive and section index', single, undefined),
      {
        name: `registry search among ${SKILLS} skills, ${CONNECTIONS} connections, p50`,
        value: searched.p50,
        unit: 'ms',
        baseline: { name: 'SELECT 1 through the same server', value: baseline.p50 },
        ratio: searched.p50 / baseline.p50,
        target: { text: 'at most 10 ×', met: searched.p50 <= 10 * baseline.p50 },
      },
      {
        name: `registry search among ${SKILLS} skills, ${CONNECTIONS} connections, p99`,
        value: searched.p99,
        unit: 'ms',
        target: { text: 'under 100 ms', met: searched.p99 < 100 },
      },
      {
        name: `registry, outline of one skill among ${SKILLS}, p50`,
        value: many.p50,
        unit: 'ms',
        baseline: { name: `among ${PUBLISHED}`, value: few.p50 },
        ratio: many.p50 / few.p50,
      },
      {
        name: 'registry, memory of a process after the searches',
        value: memory,
        unit: 'MB',
        target: { text: 'under 300 MB', met: memory < 300 },
      },
      ...(await measureDocuments(server, first!)),
    ];
  } finally {
    server?.process.kill('SIGTERM');
    await registry.close();
    postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Skills a second, imported from a directory as an administrator does. */
async function measureImport(registry: Registry, skills: readonly BenchSkill[]): Promise<number> {
  const [account] = await registry.database.query<{ id: number; name: string; isAdmin: boolean }>(
    'select id, name, is_admin as "isAdmin" from accounts order by id limit 1',
  );
  await registry.database.query(`insert into owners (name, skeleton) values ('imported', 'imported')`);
  return inWorkplace(async (directory) => {
    for (const skill of skills) write(join(directory, skill.name, 'SKILL.md'), publishableText(skill));
    const start = performance.now();
    const { imported } = await importSkills(
      registry,
      { ...anonymous, via: 'system', account: account! },
      {
        directory,
        owner: 'imported',
        visibility: 'public',
        progress: () => {},
        failed: (place, reason) => console.error(`${place}: ${reason}`),
        stop: new AbortController().signal,
      },
    );
    return imported / ((performance.now() - start) / 1000);
  });
}

/** A SKILL.md that a registry accepts: its links lead to files that are not here. */
function publishableText({ name, description, tags, body }: BenchSkill): string {
  const metadata = `metadata:\n  version: "1.0.0"\n  author: bench\n  category: development\n  tags: ${JSON.stringify(tags.join(', '))}`;
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\nlicense: MIT\n${metadata}\n---\n${body.replace(/\]\((?!https?:)[^)]*\)/g, '](https://example.org)')}`;
}

/** Index documents compared with the style sheet of the pages, through the same server. */
async function measureDocuments(server: RunningServer, { owner, name }: BenchSkill): Promise<Figure[]> {
  const path = `/api/v1/skills/@${owner}/${name}`;
  if (!(await fetch(server.address + path)).ok) return [];
  const documents = await load(server, { paths: [path], connections: CONNECTIONS });
  const file = await load(server, { paths: [`/assets/${assets.stylesheet.name}`], connections: CONNECTIONS });
  const ratio = documents.perSecond / file.perSecond;
  return [
    {
      name: 'registry, index documents a second / static files a second',
      value: ratio,
      unit: 'ratio',
      target: { text: 'at least 0.5', met: ratio >= 0.5 },
    },
  ];
}

const publish = (registry: Registry, skill: BenchSkill) =>
  insertSkill(registry, { ...skill, body: skill.body, visibility: 'public' });

async function rate(
  skills: readonly BenchSkill[],
  work: (skills: readonly BenchSkill[]) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  await work(skills);
  return skills.length / ((performance.now() - start) / 1000);
}

function speed(name: string, value: number, least: number | undefined): Figure {
  const target = least === undefined ? {} : { target: { text: `at least ${least}`, met: value >= least } };
  return { name, value, unit: 'skills/s', ...target };
}

/** Words people type, requests in plain language, and names. */
function queriesFor(skills: readonly BenchSkill[]): string[] {
  const file = join(benchData, 'skill-routing/queries.json');
  const requests = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { query: string }[]).map(({ query }) => query.slice(0, 500))
    : [];
  const typed = skills
    .filter((_, number) => number % 20 === 0)
    .map(({ description }, number) => {
      const words = description.match(/[\p{L}\p{N}]{4,}/gu) ?? ['skill'];
      return words.slice(number % 5, (number % 5) + 2 + (number % 3)).join(' ') || words[0]!;
    });
  const named = skills.filter((_, number) => number % 100 === 0).map(({ name }) => name);
  return [...typed, ...requests.slice(0, typed.length), ...named].sort((a, b) => order(a) - order(b));
}

/** A deterministic number without a pattern. */
function order(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

interface RunningServer {
  readonly process: ChildProcess;
  readonly address: string;
}

async function startServer(data: string, databaseUrl: string): Promise<RunningServer> {
  const main = join(repository, 'packages/registry/src/main.ts');
  const child = spawn(node, [main, '--port', '0', '--data', data], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      REGISTRY_READ_LIMIT: '0',
      REGISTRY_SEARCH_LIMIT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk;
      const found = /http:\/\/[^\s]+/.exec(said);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(`the server stopped: ${said}`)));
  });
  return { process: child, address };
}

async function load(
  { address }: RunningServer,
  { paths, connections }: { paths: readonly string[]; connections: number },
): Promise<{ p50: number; p99: number; perSecond: number }> {
  // Latencies in microseconds: the histogram of autocannon counts whole milliseconds.
  const times: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: address,
        connections,
        duration: SECONDS,
        requests: paths.map((path) => ({ path })),
      },
      (error: unknown, done: autocannon.Result) => (error ? reject(error as Error) : resolve(done)),
    );
    run.on('response', (_client, _status, _bytes, time) => times.push(time));
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests failed: ${paths[0]}`);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return { p50: at(0.5), p99: at(0.99), perSecond: result.requests.average };
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

if (import.meta.main) {
  for (const { name, value, unit, ratio, baseline, target } of await measureRegistry())
    console.log(
      `${name}: ${value.toFixed(2)} ${unit}${baseline === undefined ? '' : `, ${baseline.name} ${baseline.value.toFixed(2)}`}${ratio === undefined ? '' : `, ${ratio.toFixed(2)} ×`}${target === undefined ? '' : `, ${target.text}: ${target.met ? 'met' : 'missed'}`}`,
    );
  process.exit(0);
}
