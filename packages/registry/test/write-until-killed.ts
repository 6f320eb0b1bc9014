// Writes rows into the embedded database and says so after each, until the process is killed.

import { createHash } from 'node:crypto';
import { openRegistry } from '../src/registry.ts';
import { Settings } from '../src/settings/settings.ts';
import { makeCopy } from '../src/store/copies.ts';
import type { EmbeddedDatabase } from '../src/store/embedded-database.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const data = process.argv[2]!;

say('opening');
try {
  const { database, blobs } = await openRegistry(Settings.parse({ data }));
  const [found] = await database.query<{ count: number; last: number; audited: number }>(
    `select count(*) as count, coalesce(max(title::int), 0) as last, (select count(*) from audit) as audited from owners`,
  );
  say(`found ${found!.count} ${found!.last} ${found!.audited}`);
  // The archive of the last row that was reported.
  if (found!.last > 0) say(`archive ${(await blobs.get(keyOf(found!.last)))?.length}`);
  for (let number = found!.last + 1; ; number++) {
    await blobs.put(keyOf(number), Buffer.from(String(number)));
    await database.transaction(async (tx) => {
      const name = `owner-${number}`;
      await tx.query('insert into owners (name, skeleton, title) values ($1, $1, $2)', [name, number]);
      await tx.query(
        `insert into audit (actor, via, action, details) values ('test', 'system', 'owner.create', $1::jsonb)`,
        [JSON.stringify({ padding: 'x'.repeat(5000) })],
      );
    });
    say(`wrote ${number}`);
    const embedded = database as EmbeddedDatabase;
    if (number % 10 === 0) await embedded.pause((engine) => engine.run('checkpoint', 0));
    if (number % 40 === 0) await makeCopy(embedded, { data, keep: 2, now: new Date() });
    if (number % 90 === 0) await embedded.pause((engine) => engine.run('vacuum', 0));
  }
} catch (error) {
  say(`failed ${(error as Error).message}`);
}

function keyOf(number: number): string {
  return `sha256:${createHash('sha256').update(String(number)).digest('hex')}`;
}
