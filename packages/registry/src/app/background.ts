// Work that no request waits for: webhooks, versions that become old enough, purges that were interrupted.

import { finishPurges } from '../moderation/quarantine.ts';
import type { Registry } from '../registry.ts';
import { settleSkills } from '../skills/refresh-skill.ts';
import { deliverWebhooks } from '../webhooks/deliver.ts';

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
  const turn = async (): Promise<void> => {
    await attempt(() => settleSkills(registry));
    await attempt(() => deliverWebhooks(registry));
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
  const running = attempt(() => finishPurges(registry)).then(loop);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    wake();
    await running;
  };
}
