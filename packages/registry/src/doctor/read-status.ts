// The state of a registry, for everybody.

import { logVerifier } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import { appliedMigrations, migrations } from '../store/index.ts';

/** Checks and facts of the process that answers. */
interface RegistryStatus {
  readonly checks: readonly { readonly name: string; readonly isOk: boolean; readonly detail: string }[];
  readonly log: {
    readonly origin: string;
    /** The verifier key that clients pin. */
    readonly key: string;
    readonly size: number;
    /** The newest signed checkpoint; null before anybody asked for one. */
    readonly checkpoint: { readonly size: number; readonly signed: string } | null;
  } | null;
  /** When the process started. */
  readonly started: string;
}

/** Asks the database. */
export async function readStatus(registry: Registry): Promise<RegistryStatus> {
  const { database, replica } = registry;
  const before = performance.now();
  const [row] = await database.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const took = Math.max(1, Math.round(performance.now() - before));
  const applied = await appliedMigrations(database);
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  const kind = database.kind === 'embedded' ? 'Embedded PostgreSQL' : 'PostgreSQL';
  return {
    checks: [
      {
        name: 'Database',
        isOk: true,
        detail: `${kind} ${row!.version.split(' ')[0]}, answered in ${took} ms`,
      },
      {
        name: 'Schema',
        isOk: missing.length === 0,
        detail: missing.length === 0 ? `${applied.at(-1)}` : `${missing.length} migrations are missing`,
      },
      ...(replica === undefined
        ? []
        : [
            {
              name: 'Read replica',
              isOk: replica.whyNot() === undefined,
              detail:
                replica.whyNot() === undefined
                  ? 'used for reads that may be a second old'
                  : 'not used: the primary answers instead',
            },
          ]),
    ],
    log: await readLog(registry),
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  };
}

async function readLog(registry: Registry): Promise<RegistryStatus['log']> {
  const [log] = await registry.database.query<{
    origin: string;
    size: number;
    checkpoint: number | null;
    signed: Date | null;
  }>(
    `select o.origin, o.size, c.size as checkpoint, c.signed_at as signed from log_origins o
     left join log_checkpoints c on c.generation = o.generation
     where o.closed_at is null order by c.size desc nulls last limit 1`,
  );
  if (log === undefined) return null;
  const { origin, size, checkpoint, signed } = log;
  return {
    origin,
    size,
    key: await logVerifier(registry),
    checkpoint:
      checkpoint === null || signed === null ? null : { size: checkpoint, signed: signed.toISOString() },
  };
}
