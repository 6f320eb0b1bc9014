// Progress of a call, for clients that request it: messages of the work, and a heartbeat in between.

import type { ServerContext } from '@modelcontextprotocol/server';

/** Progress of one call. */
interface CallProgress {
  say(text: string): void;
  stop(): void;
}

/** Options of the progress. */
interface ProgressOptions {
  /** Name of the call. */
  readonly what: string;
  /** Interval of the heartbeat; undefined for short calls. */
  readonly beatMs: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Undefined when the client did not request it. The numbers only count up: the total is unknown. */
export function startProgress({ mcpReq }: ServerContext, options: ProgressOptions): CallProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const { what, beatMs, onError } = options;
  const started = performance.now();
  let progress = 0;
  let isStopped = false;
  const say = (message: string): void => {
    if (isStopped) return;
    progress += 1;
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(onError);
  };
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const beat = beatMs === undefined ? undefined : setInterval(() => say(`${what}: ${seconds()} s`), beatMs);
  beat?.unref();
  return {
    say,
    stop() {
      isStopped = true;
      clearInterval(beat);
    },
  };
}
