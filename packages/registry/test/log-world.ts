// A registry's log in tests: changes that write into it, and a client that reads it over HTTP.

import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry } from 'skillwright/registry-protocol';
import {
  type LogKey,
  logPathOf,
  type OpenedCheckpoint,
  openCheckpoint,
  parseVerifierKey,
  type ReadHash,
  readTiles,
  tilePath,
} from 'skillwright/transparency-log';
import type { App } from '../src/http/environment.ts';
import { appendLeaves } from '../src/log/append-leaf.ts';
import { createMemory, type Registry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import type { TestRegistry } from './open-test-registry.ts';

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The same database behind a registry that remembers nothing of what was signed. */
export function forgetful({ registry, data }: Pick<TestRegistry, 'registry' | 'data'>) {
  const settings = { ...registry.settings, data: mkdtempSync(join(data, 'forgetful-')) };
  const other: Registry = { ...registry, ...createMemory(settings), settings };
  return { registry: other, app: createApp(other) };
}

/** The entry of a version. */
export function versionEntry(name: string, version = '1.0.0'): LogEntry {
  return {
    kind: 'version',
    name,
    version,
    document: digestOf(`document of ${name} ${version}`),
    archive: digestOf(`archive of ${name} ${version}`),
  };
}

/** Stores a version and its leaf in one transaction, as a publication does. Returns the leaf's index. */
export async function logVersion(
  registry: Registry,
  {
    owner = 'team',
    name,
    version = '1.0.0',
    visibility = 'private',
    review = 'approved',
  }: {
    readonly owner?: string;
    readonly name: string;
    readonly version?: string;
    readonly visibility?: 'private' | 'public';
    readonly review?: 'approved' | 'pending';
  },
): Promise<number> {
  const entry = versionEntry(`@${owner}/${name}`, version);
  return registry.database.transaction(async (tx) => {
    await tx.query('insert into owners (name, skeleton) values ($1, $1) on conflict do nothing', [owner]);
    await tx.query(
      `insert into skills (owner_id, name, skeleton, visibility)
       select id, $2, $2, $3 from owners where name = $1 on conflict do nothing`,
      [owner, name, visibility],
    );
    const [skill] = await tx.query<{ id: number }>(
      'select s.id from skills s join owners o on o.id = s.owner_id where o.name = $1 and s.name = $2',
      [owner, name],
    );
    const [made] = await tx.query<{ id: number }>(
      `insert into versions
         (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, review, scan, published_by)
       select $1, $2, '', 0, '', '', '{}', $3, '{}', min(id) from accounts returning id`,
      [skill!.id, version, review],
    );
    await tx.query('update skills set revision = revision + 1 where id = $1', [skill!.id]);
    const isPrivate = visibility === 'private';
    return appendLeaves(tx, registry, [{ entry, isPrivate, skillId: skill!.id, versionId: made!.id }]);
  });
}

/** A client of a log. */
export interface LogReader {
  readonly key: LogKey;
  checkpoint(): Promise<OpenedCheckpoint>;
  /** Reads the tree of a checkpoint through tiles. */
  tilesOf(checkpoint: OpenedCheckpoint): ReadHash;
  bytes(path: string): Promise<Uint8Array>;
}

/** A client that trusts the key the registry has now. */
export async function readLog(app: App): Promise<LogReader> {
  const bytes = async (path: string) => {
    const response = await app.request(path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const text = async (path: string) => Buffer.from(await bytes(path)).toString();
  const key = parseVerifierKey(await text('/log/key'));
  return {
    key,
    bytes,
    checkpoint: async () => openCheckpoint(await text('/log/newest'), { key }),
    tilesOf: ({ origin, size }) =>
      readTiles((tile) => bytes(`/${logPathOf(origin, key.name)}/tile/${tilePath(tile)}`), size),
  };
}
