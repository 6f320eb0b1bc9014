// Mirrors of a namespace: added, listed, removed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spellSource } from 'skillwright/ship';
import type { Caller } from '../access/caller.ts';
import { Failure } from '../app/failure.ts';
import { record } from '../audit/record.ts';
import type { Registry } from '../registry.ts';
import { databaseCode } from '../store/database.ts';
import { fetchContext, readMirrorSource } from './mirror-source.ts';

/** A mirror and how its last run went. */
export interface Mirror {
  readonly id: number;
  readonly owner: string;
  readonly source: string;
  readonly everyMinutes: number;
  readonly synced: Date | null;
  /** Commit or digest of the last run. */
  readonly resolution: string | null;
  readonly failure: string | null;
  /** Skills that were left out, and why. */
  readonly notes: readonly string[];
}

/** The namespace a mirror belongs to. */
export interface MirrorOwner {
  readonly id: number;
  readonly name: string;
}

/** Adds a mirror; the next run fetches it. Rights are the caller's business. */
export async function addMirror(
  registry: Registry,
  caller: Caller,
  {
    owner,
    source,
    everyMinutes,
  }: { readonly owner: MirrorOwner; readonly source: string; readonly everyMinutes: number },
): Promise<Mirror> {
  const spelled = await checkSource(registry, source);
  try {
    return await registry.database.transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>(
        `insert into mirrors (owner_id, source, every_minutes, added_by, due_at) values ($1, $2, $3, $4, $5) returning id`,
        [owner.id, spelled, everyMinutes, caller.account!.id, registry.now()],
      );
      await record(tx, caller, { action: 'mirror.add', ownerId: owner.id, details: { source: spelled } });
      return {
        id: row!.id,
        owner: owner.name,
        source: spelled,
        everyMinutes,
        synced: null,
        resolution: null,
        failure: null,
        notes: [],
      };
    });
  } catch (error) {
    if (databaseCode(error) === '23505') throw new Failure('conflict', `${spelled} is mirrored already`);
    throw error;
  }
}

async function checkSource(registry: Registry, source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'skw-mirror-'));
  try {
    const context = await fetchContext(registry, { directory, signal: new AbortController().signal });
    return spellSource(readMirrorSource(source, context));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The mirrors of a namespace, or of all. */
export async function listMirrors({ database }: Registry, ownerId?: number): Promise<Mirror[]> {
  return database.query<Mirror>(
    `select m.id, o.name as owner, m.source, m.every_minutes as "everyMinutes", m.synced_at as synced, m.resolution,
       m.failure, m.notes
     from mirrors m join owners o on o.id = m.owner_id where $1::bigint is null or m.owner_id = $1
     order by o.name, m.source`,
    [ownerId ?? null],
  );
}

/** Ends a mirror. Its skills stay. */
export async function removeMirror(
  registry: Registry,
  caller: Caller,
  { owner, id }: { readonly owner: MirrorOwner; readonly id: number },
): Promise<void> {
  await registry.database.transaction(async (tx) => {
    const [row] = await tx.query<{ source: string }>(
      'delete from mirrors where id = $1 and owner_id = $2 returning source',
      [id, owner.id],
    );
    if (row === undefined) throw new Failure('not_found', 'no such mirror');
    await record(tx, caller, {
      action: 'mirror.remove',
      ownerId: owner.id,
      details: { source: row.source },
    });
  });
}
