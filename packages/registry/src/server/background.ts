// Work that no request waits for: mirrors, webhooks, versions that become old enough, purges that were interrupted,
// words that an earlier version of the program made.

import { anonymous } from '../access/index.ts';
import { deliverWebhooks } from '../changes/index.ts';
import { syncDueMirrors } from '../mirrors/index.ts';
import type { Registry } from '../registry.ts';
import { readFacets } from '../search/index.ts';
import { finishPurges, reindexSkills, settleSkills } from '../skills/index.ts';

const PAUSE = 2000;

/** Starts the work; the returned function stops it and waits for what is under way. */
export function startBackground(
  registry: Registry,
  onError: (error: unknown) => void = () => {},
): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  };
  const stopping = new AbortController();
  /** Fetching takes long, and nothing else waits for it. */
  let mirroring: Promise<void> | undefined;
  const mirror = (): void => {
    mirroring ??= attempt(() => syncDueMirrors(registry, stopping.signal)).finally(() => {
      mirroring = undefined;
    });
  };
  /** A webhook that answers slowly does not keep the next turn waiting. */
  const deliveries = new Set<Promise<void>>();
  const deliver = (): void => {
    const work = attempt(() => deliverWebhooks(registry, { signal: stopping.signal })).finally(() =>
      deliveries.delete(work),
    );
    deliveries.add(work);
  };
  const turn = async (): Promise<void> => {
    mirror();
    await attempt(() => settleSkills(registry));
    deliver();
  };
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      await turn();
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, PAUSE).unref();
      });
    }
  };
  let wake = () => {};
  const reindex = async (): Promise<void> => {
    while (!isStopped && (await reindexSkills(registry)) > 0);
  };
  // Counting a large registry takes a second, which nobody should wait for.
  const running = attempt(() => readFacets(registry.lagging, anonymous))
    .then(() => attempt(() => finishPurges(registry)))
    .then(() => attempt(reindex))
    .then(loop);
  return async () => {
    isStopped = true;
    stopping.abort();
    clearTimeout(timer);
    wake();
    await running;
    await mirroring;
    await Promise.all(deliveries);
  };
}
