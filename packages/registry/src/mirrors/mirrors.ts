// Mirrors of a namespace: added, listed, removed.

import type { Mirror, MirrorRequest, MirrorRun } from 'skillwright/registry-protocol';
import { spellSource } from 'skillwright/ship';
import { type Caller, demandRegistryAdmin, record } from '../access/index.ts';
import { findManaged } from '../accounts/index.ts';
import { Failure, whyPrivate, withWorkDirectory } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { databaseCode, queryMessages } from '../store/index.ts';
import { fetchContext, readMirrorSource } from './mirror-source.ts';
import { syncNow } from './sync-mirrors.ts';

/** The mirror of a namespace. */
interface MirrorAddress {
  readonly owner: string;
  readonly id: string;
}

/** Adds a mirror; the next run fetches it. */
export async function addMirror(
  registry: Registry,
  caller: Caller,
  { owner: name, source, everyMinutes }: MirrorRequest & { readonly owner: string },
): Promise<Mirror> {
  const owner = await findManaged(registry.database, caller, name);
  const spelled = await checkSource(registry, source);
  try {
    return await registry.database.transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>(
        `insert into mirrors (owner_id, source, every_minutes, added_by, due_at) values ($1, $2, $3, $4, $5) returning id`,
        [owner.id, spelled, everyMinutes, caller.account!.id, registry.now()],
      );
      await record(tx, caller, { action: 'mirror.add', ownerId: owner.id, details: { source: spelled } });
      const [added] = await queryMessages<Mirror>(tx, `${SELECT} where m.id = $1`, [row!.id]);
      return added!;
    });
  } catch (error) {
    if (databaseCode(error) === '23505') throw new Failure('conflict', `${spelled} is mirrored already`);
    throw error;
  }
}

async function checkSource(registry: Registry, source: string): Promise<string> {
  return withWorkDirectory('mirror', async (directory) => {
    const context = await fetchContext(registry, { directory, signal: new AbortController().signal });
    const read = readMirrorSource(source, context);
    // Names are checked when they are fetched, with every address they resolve to.
    const why = registry.settings.mirrorAllowPrivate.length === 0 ? whyPrivate(read.url) : undefined;
    if (why !== undefined) throw new Failure('bad_request', `mirrors cannot reach this address: ${why}`);
    return spellSource(read);
  });
}

/** The mirrors of a namespace. */
export async function listMirrors(registry: Registry, caller: Caller, owner: string): Promise<Mirror[]> {
  const { id } = await findManaged(registry.database, caller, owner);
  return queryMessages(registry.database, `${SELECT} where m.owner_id = $1 order by m.source`, [id]);
}

/** The mirrors of all namespaces, for administrators. */
export async function listAllMirrors(registry: Registry, caller: Caller): Promise<Mirror[]> {
  demandRegistryAdmin(caller);
  return queryMessages(registry.database, `${SELECT} order by o.name, m.source`);
}

const SELECT = `select m.id::text as id, o.name as owner, m.source, m.every_minutes as "everyMinutes", m.synced_at as synced,
  m.resolution, m.failure, m.notes from mirrors m join owners o on o.id = m.owner_id`;

/** Ends a mirror. Its skills stay. */
export async function removeMirror(
  registry: Registry,
  caller: Caller,
  { owner, id }: MirrorAddress,
): Promise<void> {
  const { id: ownerId } = await findManaged(registry.database, caller, owner);
  await registry.database.transaction(async (tx) => {
    const [row] = await tx.query<{ source: string }>(
      'delete from mirrors where id = $1 and owner_id = $2 returning source',
      [numberOf(id), ownerId],
    );
    if (row === undefined) throw new Failure('not_found', 'no such mirror');
    await record(tx, caller, { action: 'mirror.remove', ownerId, details: { source: row.source } });
  });
}

/** Fetches a mirror now. */
export async function syncMirror(
  registry: Registry,
  caller: Caller,
  { owner, id, signal }: MirrorAddress & { readonly signal: AbortSignal },
): Promise<MirrorRun> {
  const { id: ownerId } = await findManaged(registry.database, caller, owner);
  return syncNow(registry, { ownerId, id: numberOf(id) }, signal);
}

function numberOf(id: string): number {
  if (!/^[0-9]{1,15}$/.test(id)) throw new Failure('not_found', 'no such mirror');
  return Number(id);
}
