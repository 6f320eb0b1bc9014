// Embedded databases without rows: making one takes seconds, copying one does not. They are kept between runs.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../src/store/migrate.ts';
import { openEmbedded } from '../src/store/open-embedded.ts';
import { openMemory } from './open-memory.ts';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const cache = pathOf('../../../node_modules/.cache/skillwright-registry');

/** Fills a directory with an embedded database that has no rows, and by default no tables. */
export async function copyEmptyData(to: string, { isMigrated = false } = {}): Promise<void> {
  const kept = await keep(isMigrated ? 'migrated' : 'new', async (directory) => {
    if (isMigrated) await copyEmptyData(directory);
    const database = await openEmbedded(directory);
    if (isMigrated) await migrate(database);
    await database.close();
  });
  cpSync(kept, to, { recursive: true });
}

/** A migrated database without rows, for `openMemory`. */
export async function emptySnapshot(): Promise<Blob> {
  const kept = await keep('memory', async (directory) => {
    const database = await openMemory();
    await migrate(database);
    const dump = await database.postgres.dumpDataDir('none');
    await database.close();
    writeFileSync(join(directory, 'data.tar'), await dump.bytes());
  });
  return new Blob([readFileSync(join(kept, 'data.tar'))], { type: 'application/x-tar' });
}

/** A directory that `make` fills once for these sources. */
async function keep(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const place = join(cache, `${name}-${digestOfStore()}`);
  if (existsSync(place)) return place;
  mkdirSync(cache, { recursive: true });
  const yesterday = Date.now() - 86_400_000;
  for (const entry of readdirSync(cache))
    if ((statSync(join(cache, entry), { throwIfNoEntry: false })?.mtimeMs ?? yesterday) < yesterday)
      rmSync(join(cache, entry), { recursive: true, force: true });
  const fresh = mkdtempSync(join(cache, 'unfinished-'));
  await make(fresh);
  try {
    renameSync(fresh, place);
  } catch {
    // Another worker was faster.
    rmSync(fresh, { recursive: true });
  }
  return place;
}

let digest: string | undefined;

/** Changes with the tables and with the database that has them. */
function digestOfStore(): string {
  if (digest !== undefined) return digest;
  const hash = createHash('sha256');
  hash.update(readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  for (const path of readdirSync(pathOf('../src/store'), { recursive: true, encoding: 'utf8' }).sort())
    if (path.endsWith('.ts')) hash.update(path).update(readFileSync(join(pathOf('../src/store'), path)));
  digest = hash.digest('hex').slice(0, 16);
  return digest;
}
