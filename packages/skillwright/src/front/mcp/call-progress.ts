// Progress of a call, for clients that ask for it: what the work says, and a sign of life while it says nothing.

import type { ServerContext } from '@modelcontextprotocol/server';

/** Progress of one call. */
export interface CallProgress {
  say(text: string): void;
  stop(): void;
}

/** How it is told. */
export interface ProgressOptions {
  /** What the call is called. */
  readonly what: string;
  /** How often there is a sign of life; undefined for calls that are short. */
  readonly beatMs: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Undefined when the client has not asked. The numbers only count up: nobody knows how much there is to do. */
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
