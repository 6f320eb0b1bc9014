// The registry with 30,000 skills on PostgreSQL: import, search at 50 connections, reading one section, memory.
// usage: [BENCH_DATA=<directory>] node bench/registry.ts [--skills <n>] [--quick]
// BENCH_DATA has real skills and requests: real-skills-whole.tar.gz, real-skills-md.tar.gz, skill-routing/. Without them skills
// are made up, and the quality of search is not measured. The first line says which skills were measured.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { assets } from 'skillwright/pages';
import { anonymous } from '../packages/registry/src/access/caller.ts';
import { createFirstAdmin } from '../packages/registry/src/accounts/tokens.ts';
import { importSkills } from '../packages/registry/src/import/import-skills.ts';
import { openRegistry, type Registry } from '../packages/registry/src/registry.ts';
import { Settings } from '../packages/registry/src/settings/settings.ts';
import { openPostgres } from '../packages/registry/src/store/open-postgres.ts';
import { insertSkill } from '../packages/registry/test/insert-skill.ts';
import { findPostgres, startPostgres } from '../packages/registry/test/postgres-server.ts';
import type { Figure } from './figure.ts';
import { insertMany } from './registry-import.ts';
import { measureRegistryQuality } from './registry-quality.ts';
import {
  latencyAt,
  load,
  loadInTurn,
  type Measured,
  type RunningServer,
  residentMegabytes,
  startServer,
  stopServer,
} from './registry-server.ts';
import { type BenchSkill, findData, makeSkills, unpackRealSkills } from './registry-skills.ts';
import { inWorkplace, node, repository, write } from './workplace.ts';

/** For development: fewer skills, and no search quality. */
const isQuick = process.argv.includes('--quick');
const SKILLS = Number(process.argv[process.argv.indexOf('--skills') + 1]) || (isQuick ? 2000 : 30_000);
/** Skills that are published with archive and index; the others have rows and words alone. */
const PUBLISHED = 30;
const SAMPLE = isQuick ? 20 : 200;
const CONNECTIONS = 50;
/** Requests of each kind, in this many rounds. */
const REQUESTS = isQuick ? 1000 : 5000;
const ROUNDS = 5;
/** Skills imported from a directory, with archive, scan, section index and log. */
const IMPORTED = isQuick ? 100 : 2000;

/** Every figure of the registry; none without PostgreSQL. */
export function measureRegistry(): Promise<Figure[]> {
  if (findPostgres() === undefined) return Promise.resolve([]);
  return inWorkplace(async (directory) => {
    console.error(
      unpackRealSkills(directory)
        ? `registry: measured with the real skills in ${process.env.BENCH_DATA}`
        : 'registry: measured with invented skills; set BENCH_DATA to a directory with real-skills-whole.tar.gz for real ones',
    );
    const skills = makeSkills(directory, SKILLS + PUBLISHED + SAMPLE);
    return [...(await measureServer(skills)), ...(isQuick ? [] : await measureRegistryQuality())];
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
    const section = {
      paths: [`/api/v1/read/@${first!.owner}/${first!.name}/outline`],
      connections: 1,
      requests: 1000,
    };
    const few = latencyAt(await load(server, section), 0.5);
    const bulk = await rate(skills.slice(PUBLISHED + SAMPLE), (many) => insertMany(registry, many));
    const single = await rate(skills.slice(PUBLISHED, PUBLISHED + SAMPLE), async (many) => {
      for (const skill of many) await publish(registry, skill);
    });
    const imported = await measureImport(registry, skills.slice(-IMPORTED));
    await registry.database.query('vacuum analyze');
    // A process as it serves: started on the data that is there.
    await stopServer(server);
    server = await startServer(data, databaseUrl);
    await load(server, section);
    const many = latencyAt(await load(server, section), 0.5);
    const searches = await measureSearches(server, { skills, registry });
    const memory = residentMegabytes(server);
    return [
      speed(`registry, import of ${IMPORTED} skills with all checks`, imported, 200),
      speed(`registry, ${SKILLS} skills into the database with their words`, bulk, undefined),
      speed('registry, publications one by one with archive and section index', single, undefined),
      ...searches,
      {
        name: `registry, outline of one skill among ${SKILLS}, p50`,
        value: many,
        unit: 'ms',
        baseline: { name: `among ${PUBLISHED}`, value: few },
        ratio: many / few,
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
    if (server !== undefined) await stopServer(server);
    await registry.close();
    postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Searches over the API and as pages, after every query was asked once, at rest and while the registry is used. */
async function measureSearches(
  server: RunningServer,
  { skills, registry }: { readonly skills: readonly BenchSkill[]; readonly registry: Registry },
): Promise<Figure[]> {
  const queries = queriesFor(skills).map((q) => new URLSearchParams({ q }));
  const kinds = {
    baseline: ['/readyz'],
    search: queries.map((query) => `/api/v1/search?${query}`),
    page: queries.map((query) => `/search?${query}`),
  };
  const loadOf = (paths: readonly string[], requests = REQUESTS) => ({
    paths,
    connections: CONNECTIONS,
    requests,
  });
  // Each connection starts with the first path: only a single one asks every query once.
  await load(server, { paths: kinds.search, connections: 1, requests: kinds.search.length });
  for (const paths of Object.values(kinds)) await load(server, loadOf(paths, 1000));
  const measured = await loadInTurn(
    server,
    { baseline: loadOf(kinds.baseline), search: loadOf(kinds.search), page: loadOf(kinds.page) },
    ROUNDS,
  );
  const stop = useRegistry(registry);
  const used = await loadInTurn(
    server,
    { baseline: loadOf(kinds.baseline), search: loadOf(kinds.search) },
    ROUNDS,
  );
  await stop();
  return [
    ...latencies('registry search', measured.search, measured.baseline),
    ...latencies('registry search page', measured.page, measured.baseline),
    ...latencies('registry search while downloads are counted,', used.search, used.baseline),
  ];
}

/** Counts downloads of 20 skills, 10 times a second; the returned function ends it. */
function useRegistry({ database }: Registry): () => Promise<void> {
  let isStopped = false;
  const run = async () => {
    for (let turn = 0; !isStopped; turn++) {
      await database.query(
        'update skills set downloads = downloads + 1 where id % 997 = $1 and id < 20 * 997',
        [turn % 997],
      );
      await wait(100);
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    await running;
  };
}

function latencies(name: string, measured: Measured, baseline: Measured): Figure[] {
  const [p50, p99, least] = [latencyAt(measured, 0.5), latencyAt(measured, 0.99), latencyAt(baseline, 0.5)];
  const where = `among ${SKILLS} skills, ${CONNECTIONS} connections`;
  return [
    {
      name: `${name} ${where}, p50`,
      value: p50,
      unit: 'ms',
      baseline: { name: 'SELECT 1 through the same server', value: least },
      ratio: p50 / least,
      target: { text: 'at most 10 ×', met: p50 <= 10 * least },
    },
    {
      name: `${name} ${where}, p99`,
      value: p99,
      unit: 'ms',
      target: { text: 'under 100 ms', met: p99 < 100 },
    },
  ];
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
        // Texts of other skills lost the files they link to; refusing them is part of the work.
        failed: () => {},
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
  const asset = `/assets/${assets.stylesheet.name}`;
  const common = { connections: CONNECTIONS, requests: REQUESTS };
  const { documents, files } = await loadInTurn(
    server,
    { documents: { paths: [path], ...common }, files: { paths: [asset], ...common } },
    ROUNDS,
  );
  const ratio = documents.perSecond / files.perSecond;
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

/** Chinese, Japanese, Korean, and words that no skill contains. */
const unusual = [
  '处理电子表格',
  '数据分析',
  'メールを送信',
  '自動化',
  '날씨를 알려줘',
  '문서 요약',
  'qzxv wkjh',
  'zzyzx-nothing-here',
];

/** Words people type, requests in plain language, names, and the unusual. The same in every run. */
export function queriesFor(skills: readonly BenchSkill[]): string[] {
  const file = findData('skill-routing/queries.json');
  const requests =
    file !== undefined
      ? (JSON.parse(readFileSync(file, 'utf8')) as { query: string }[]).map(({ query }) =>
          query.slice(0, 500),
        )
      : [];
  const typed = skills
    .filter((_, number) => number % 20 === 0)
    .map(({ description }, number) => {
      const words = description.match(/[\p{L}\p{N}]{4,}/gu) ?? ['skill'];
      return words.slice(number % 5, (number % 5) + 2 + (number % 3)).join(' ') || words[0]!;
    });
  const named = skills.filter((_, number) => number % 100 === 0).map(({ name }) => name);
  return [...typed, ...requests.slice(0, typed.length), ...named, ...unusual].sort(
    (a, b) => order(a) - order(b),
  );
}

/** A deterministic number without a pattern. */
function order(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

if (import.meta.main) {
  spawnSync(node, [join(repository, 'scripts/build.ts'), '--if-stale'], { stdio: 'inherit' });
  for (const { name, value, unit, ratio, baseline, target } of await measureRegistry())
    console.log(
      `${name}: ${value.toFixed(2)} ${unit}${baseline === undefined ? '' : `, ${baseline.name} ${baseline.value.toFixed(2)}`}${ratio === undefined ? '' : `, ${ratio.toFixed(2)} ×`}${target === undefined ? '' : `, ${target.text}: ${target.met ? 'met' : 'missed'}`}`,
    );
  process.exit(0);
}
