// Mirrors of a namespace: added, listed, removed.

import type { Mirror } from 'skillwright/registry-protocol';
import { spellSource } from 'skillwright/ship';
import { demandRegistryAdmin } from '../access/index.ts';
import { findManaged } from '../accounts/index.ts';
import { Failure, whyPrivate, withWorkDirectory } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { databaseCode, queryMessages } from '../store/index.ts';
import { type Act, change, type Handlers } from '../work/index.ts';
import { fetchContext, readMirrorSource } from './mirror-source.ts';
import { syncNow } from './sync-mirrors.ts';

const SELECT = `select m.id::text as id, o.name as owner, m.source, m.every_minutes as "everyMinutes", m.synced_at as synced,
  m.resolution, m.failure, m.notes from mirrors m join owners o on o.id = m.owner_id`;

export const mirrorOperations = {
  /** Adds a mirror; the next run fetches it. */
  async addMirror({ registry, caller, path, body: { source: given, everyMinutes } }) {
    const { id: ownerId } = await findManaged(registry.database, caller, path.owner);
    const source = await checkSource(registry, given);
    return change({ registry, caller }, async ({ tx, note }) => {
      const [row] = await tx.query<{ id: number }>(
        `insert into mirrors (owner_id, source, every_minutes, added_by, due_at) values ($1, $2, $3, $4, $5) returning id`,
        [ownerId, source, everyMinutes, caller.account!.id, registry.now()],
      );
      note('mirror.add', { ownerId, details: { source } });
      return (await queryMessages<Mirror>(tx, `${SELECT} where m.id = $1`, [row!.id]))[0]!;
    }).catch((error: unknown) => {
      if (databaseCode(error) === '23505') throw new Failure('conflict', `${source} is mirrored already`);
      throw error;
    });
  },

  async listMirrors({ registry: { database }, caller, path }) {
    const { id } = await findManaged(database, caller, path.owner);
    return {
      mirrors: await queryMessages<Mirror>(database, `${SELECT} where m.owner_id = $1 order by m.source`, [
        id,
      ]),
    };
  },

  /** Ends a mirror. Its skills stay. */
  async removeMirror({ registry, caller, path }) {
    const { id: ownerId } = await findManaged(registry.database, caller, path.owner);
    return change({ registry, caller }, async ({ tx, note }) => {
      const [row] = await tx.query<{ source: string }>(
        'delete from mirrors where id = $1 and owner_id = $2 returning source',
        [numberOf(path.id), ownerId],
      );
      if (row === undefined) throw noMirror();
      note('mirror.remove', { ownerId, details: { ...row } });
    });
  },

  /** Fetches a mirror now. */
  async syncMirror({ registry, caller, path, context }) {
    const { id: owner_id } = await findManaged(registry.database, caller, path.owner);
    return syncNow(registry, { owner_id, id: numberOf(path.id) }, context.req.raw.signal);
  },
} satisfies Partial<Handlers>;

/** The mirrors of all namespaces, for administrators. */
export async function listAllMirrors({ registry: { database }, caller }: Act): Promise<Mirror[]> {
  demandRegistryAdmin(caller);
  return queryMessages(database, `${SELECT} order by o.name, m.source`);
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

const noMirror = () => new Failure('not_found', 'no such mirror');

function numberOf(id: string): number {
  if (!/^[0-9]{1,15}$/.test(id)) throw noMirror();
  return Number(id);
}
