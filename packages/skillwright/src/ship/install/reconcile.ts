// Brings a place from its lock before to the lock after. Installing, restoring, updating and uninstalling differ only in what a
// skill's entry is to become: each names the skills and plans them one by one, and here the plans are carried out.

import type { Failure } from '../results/index.ts';
import type { ReadLock } from './lock/lock.ts';
import type { InstallContext, InstallPlace } from './place/install-place.ts';
import { failureOf } from './plan/consent.ts';
import { type Changed, changePlace, type LocksNow, type SkillPlan } from './transaction/change-place.ts';

/** The plan for one skill, and its row of the result. */
export interface Settled<Row> {
  /** Left out when nothing has to change. */
  readonly plan?: SkillPlan | undefined;
  /** Size of its content in memory. */
  readonly bytes?: number | undefined;
  /** Its row, once the plan was carried out. */
  row(changed: Changed): Row;
}

/** A skill that shall get another entry, or none. */
export interface Desired<Row> {
  readonly name: string;
  /** Plans it under the lock: another process may have been faster. Throws when the skill must stay as it is. */
  settle(now: LocksNow): Settled<Row> | Promise<Settled<Row>>;
}

/** The rows in the order of the skills, and those that failed. */
interface Reconciled<Row> {
  readonly rows: Row[];
  readonly failed: Failure[];
}

/** Limit of content held in memory at once, in bytes. */
export const BATCH_BYTES = 64 * 1024 * 1024;

/**
 * Plans skills under the lock of their place and carries the plans out. `together`: all of them, or none and the first error;
 * else one that fails does not stop the rest. `force` replaces files that skc did not make, and keeps a backup.
 */
export function reconcile<Row>(
  place: InstallPlace,
  desired: readonly Desired<Row>[],
  {
    context,
    read,
    force = false,
    together = false,
  }: { context: InstallContext; read: ReadLock; force?: boolean; together?: boolean },
): Promise<Reconciled<Row>> {
  return changePlace(place, context, {
    read,
    async work(locked) {
      const rows = new Map<string, Row>();
      const failed: Failure[] = [];
      const fail = (name: string, error: unknown): void => {
        if (together) throw error;
        failed.push(failureOf(name, error, context));
      };
      // All at once; if that fails, one by one, so that only the failing skills fail.
      const write = async (batch: readonly (Settled<Row> & { readonly name: string })[]): Promise<void> => {
        const plans = batch.flatMap(({ plan }) => plan ?? []);
        try {
          const nothing = { lock: locked.locks().lock, deployments: new Map(), backups: new Map() };
          const changed = plans.length === 0 ? nothing : await locked.change(plans, { force });
          for (const { name, row } of batch) rows.set(name, row(changed));
        } catch (error) {
          if (together || batch.length === 1) fail(batch[0]!.name, error);
          else for (const one of batch) await write([one]);
        }
      };
      const now = locked.locks();
      const batch: (Settled<Row> & { readonly name: string })[] = [];
      for (const { name, settle } of desired) {
        try {
          batch.push({ ...(await settle(now)), name });
        } catch (error) {
          fail(name, error);
        }
        const held = batch.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
        if (held > BATCH_BYTES && !together) await write(batch.splice(0));
      }
      await write(batch);
      const ordered = desired.flatMap(({ name }) => (rows.has(name) ? [rows.get(name)!] : []));
      return { rows: ordered, failed };
    },
  });
}
