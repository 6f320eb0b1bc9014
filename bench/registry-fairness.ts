// Nine accounts with 1,000 uploads each: how long somebody who reads waits meanwhile, and a tenth account that publishes.
// usage: node bench/registry-fairness.ts [uploads per account]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegistry } from '../packages/registry/src/registry.ts';
import { Settings } from '../packages/registry/src/settings/settings.ts';
import { openPostgres } from '../packages/registry/src/store/open-postgres.ts';
import { startPostgres } from '../packages/registry/test/postgres-server.ts';
import { startServer } from '../packages/registry/test/server-process.ts';
import {
  addFloodPeople,
  floodWithUploads,
  type TimedAnswer,
} from '../packages/registry/test/upload-flood.ts';
import { node, repository } from './workplace.ts';

const ACCOUNTS = 9;
const uploads = Number(process.argv[2] ?? 1000);

function spell(name: string, answers: readonly TimedAnswer[], refused: number): void {
  const times = answers.map(({ time }) => time).toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0)} ms`;
  console.log(
    `${name}: ${times.length}, refused ${refused}, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
  );
}

spawnSync(node, [join(repository, 'scripts/build.ts'), '--if-stale'], { stdio: 'inherit' });
const postgres = startPostgres();
const root = openPostgres(postgres.urlOf('postgres'), { connections: 1 });
for (const [name, env] of [
  ['usual limits', { REGISTRY_WRITE_LIMIT: '120' }],
  ['no limit of changes', {}],
] as const) {
  const data = mkdtempSync(join(tmpdir(), 'skw-fairness-'));
  const database = `registry_${name.replaceAll(' ', '_')}`;
  await root.query(`create database ${database}`);
  const databaseUrl = postgres.urlOf(database);
  const registry = await openRegistry(Settings.parse({ data, databaseUrl }));
  const people = await addFloodPeople(registry, ACCOUNTS);
  await registry.close();
  const main = join(repository, 'packages/registry/dist/main.js');
  const server = await startServer({ databaseUrl, data, env, program: [node, main] });
  const outcome = await floodWithUploads(server.url, people, uploads);
  await server.stop();
  const total = (status: number) =>
    outcome.uploads.reduce((sum, statuses) => sum + (statuses[status] ?? 0), 0);
  console.log(
    `${name}: ${ACCOUNTS} × ${uploads} uploads in ${outcome.seconds.toFixed(0)} s: ${total(201)} published, ${total(429)} limited, ${total(503)} told to wait`,
  );
  const refused = (answers: readonly TimedAnswer[], wanted: number) =>
    answers.filter(({ status }) => status !== wanted).length;
  spell('  reads', outcome.reads, refused(outcome.reads, 200));
  spell('  small publications', outcome.publications, refused(outcome.publications, 201));
  rmSync(data, { recursive: true, force: true });
}
postgres.stop();
process.exit(0);
