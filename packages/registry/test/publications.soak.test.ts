// Two servers on one PostgreSQL while many publish, and while one of the three dies.

import { setTimeout as pause } from 'node:timers/promises';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { checkAdvance, checkProof, type OpenedCheckpoint } from 'skillwright/transparency-log';
import { afterEach, expect, test } from 'vitest';
import { createFirstAdmin } from '../src/accounts/tokens.ts';
import { digestOf } from '../src/base/secrets.ts';
import type { App } from '../src/http/environment.ts';
import { openRegistry, type Registry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import { Settings } from '../src/settings/settings.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { type LogReader, readLog } from './log-world.ts';
import { requirePostgres } from './open-test-registry.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { addAccount, addOwner, digestOfBytes, packedSkill } from './skill-world.ts';

const NAMES = 50;
const VERSIONS = 10;
/** Requests under way at once. */
const WIDTH = 50;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

test('500 publications of 50 names through two servers: none lost, none doubled', async (context) => {
  requirePostgres(context);
  const world = await openWorld();
  await expectWhole(world, await publishAll(world));
});

test('a server that is killed in the middle leaves nothing half published', async (context) => {
  requirePostgres(context);
  const world = await openWorld();
  const outcome = await publishAll(world, async () => {
    await world.servers[0]!.kill();
    world.servers[0] = await startServer({ databaseUrl: world.databaseUrl });
    ends.push(world.servers[0].kill);
  });
  await expectWhole(world, outcome);
});

test('service resumes by itself after PostgreSQL crashes in the middle', async (context) => {
  requirePostgres(context);
  const world = await openWorld();
  const outcome = await publishAll(world, async () => {
    world.postgres.stop();
    world.postgres.start();
  });
  expect(world.servers.map(({ process }) => [process.exitCode, process.signalCode])).toEqual([
    [null, null],
    [null, null],
  ]);
  // Connections of this process notice the crash at their next use.
  const ask = () => world.registry.database.query('select 1 as one').catch(() => 'away');
  await expect.poll(ask).toEqual([{ one: 1 }]);
  await expectWhole(world, outcome);
});

interface World {
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
  readonly registry: Registry;
  readonly app: App;
  readonly log: LogReader;
  readonly token: string;
  readonly servers: ServerProcess[];
}

async function openWorld(): Promise<World> {
  const postgres = startPostgres();
  ends.push(() => postgres.stop());
  const databaseUrl = postgres.urlOf('postgres');
  const registry = await openRegistry(Settings.parse({ data: postgres.directory, databaseUrl }), {
    database: openPostgres(databaseUrl),
  });
  ends.push(() => registry.close());
  await createFirstAdmin(registry);
  const ownerId = await addOwner(registry, 'acme');
  const token = await addAccount(registry, 'publisher', { roles: [[ownerId, 'publisher']] });
  const servers = await Promise.all([startServer({ databaseUrl }), startServer({ databaseUrl })]);
  for (const server of servers) ends.push(server.kill);
  const app = createApp(registry);
  return { postgres, databaseUrl, registry, app, log: await readLog(app), token, servers };
}

interface Wanted {
  readonly name: string;
  readonly version: string;
  readonly archive: Uint8Array;
}

const wanted: readonly Wanted[] = Array.from({ length: VERSIONS }, (_, minor) =>
  Array.from({ length: NAMES }, (__, at) => {
    // Letters that nobody takes for another.
    const name = `skill-${'abcdefgh'[at % 8]}${'kmnprst'[Math.floor(at / 8)]}`;
    const version = `1.${minor}.0`;
    return { name, version, archive: packedSkill({ name, version }) };
  }),
).flat();

interface Outcome {
  readonly refused: readonly unknown[];
  /** The checkpoint before anything happened. */
  readonly checkpoint: OpenedCheckpoint;
}

/** Publishes everything, and lets something happen in the middle. */
async function publishAll(world: World, happen = async () => {}): Promise<Outcome> {
  const refused: unknown[] = [];
  const queue = [...wanted.entries()];
  let done = 0;
  let event: Promise<OpenedCheckpoint> | undefined;
  const interrupt = async () => {
    const checkpoint = await world.log.checkpoint();
    await happen();
    return checkpoint;
  };
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, one] = next;
      const answer = await publishUntilAnswered(world, one, at);
      if (answer !== undefined) refused.push(answer);
      done += 1;
      if (done >= wanted.length / 3) event ??= interrupt();
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  return { refused, checkpoint: await event! };
}

/** Asks one server after the other until one answers; undefined when the version is published. */
async function publishUntilAnswered(
  { servers, token }: World,
  { name, version, archive }: Wanted,
  first: number,
): Promise<unknown> {
  for (let attempt = first; ; attempt++) {
    const { url } = servers[attempt % servers.length]!;
    try {
      const response = await fetch(`${url}/api/v1/skills/@acme/${name}/${version}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, [DIGEST_HEADER]: digestOfBytes(archive) },
        body: Buffer.from(archive),
      });
      const answer = (await response.json()) as { error?: { message: string } };
      if (response.status === 201) return undefined;
      // An answer that was lost: the version is there with these bytes.
      if (response.status === 409 && answer.error?.message.includes('with the same archive'))
        return undefined;
      if (response.status < 500 && response.status !== 429)
        return { name, version, status: response.status, answer };
    } catch {
      // The connection broke: the server is gone, or comes back.
    }
    await pause(100);
  }
}

/** Every version once and whole: row, archive, document, index, audit, log. */
async function expectWhole(world: World, { refused, checkpoint }: Outcome): Promise<void> {
  const { database, blobs } = world.registry;
  expect(refused).toEqual([]);
  const rows = await database.query<{
    name: string;
    version: string;
    archive_digest: string;
    document: string;
    document_digest: string;
  }>(
    `select s.name, v.version, v.archive_digest, v.document, v.document_digest
     from versions v join skills s on s.id = v.skill_id order by s.name, v.id`,
  );
  const spell = ({ name, version }: { name: string; version: string }) => `${name} ${version}`;
  expect(rows.map(spell).toSorted()).toEqual(wanted.map(spell).toSorted());
  for (const row of rows) {
    expect(digestOf(row.document)).toBe(row.document_digest);
    expect(digestOf((await blobs.get(row.archive_digest))!)).toBe(row.archive_digest);
  }
  const latest = await database.query<{ latest: string; revision: number }>(
    'select distinct latest, revision from skills',
  );
  expect(latest).toEqual([{ latest: `1.${VERSIONS - 1}.0`, revision: VERSIONS + 1 }]);
  const [audit] = await database.query(
    `select count(*) as rows, count(distinct (skill_id, version)) as versions from audit where action = 'version.publish'`,
  );
  expect(audit).toEqual({ rows: wanted.length, versions: wanted.length });
  const newest = await world.log.checkpoint();
  expect(newest.size).toBe(wanted.length);
  const read = world.log.tilesOf(newest);
  expect(await checkAdvance({ known: checkpoint, offered: newest, read })).toBe('newer');
  const places = new Set<number>();
  for (const { name, version, archive_digest: archive, document_digest: document } of rows) {
    const response = await world.app.request(`/api/v1/skills/@acme/${name}/${version}/proof`, {
      headers: { authorization: `Bearer ${world.token}` },
    });
    const { entry, index } = checkProof(await response.text(), { key: world.log.key });
    expect(entry).toEqual({ kind: 'version', name: `@acme/${name}`, version, document, archive });
    places.add(index);
  }
  expect(places.size).toBe(wanted.length);
}
