// Server-sent events: which skills were accessed, as it happens. The page loads itself again for the numbers.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { StudioState } from '../data/studio-state.ts';

/** Open streams; a browser has one for each of its windows. */
const MAX_STREAMS = 32;
/** Shorter than the patience of proxies and browsers. */
const BEAT_MS = 20_000;
/** Time between two looks at the logs while somebody follows, and at least so many times as long as one takes. */
const LOOK_MS = 500;
const LOOK_SHARE = 50;

/** The events of a studio. */
export interface StudioEvents {
  /** Streams events to a browser. E095 when there are too many streams. */
  open(): Response;
  close(): void;
}

/** Creates the stream of events. */
export function createEvents(state: StudioState): StudioEvents {
  const streams = new Set<ReadableStreamDefaultController<string>>();
  const send = (text: string): void => {
    for (const stream of streams) stream.enqueue(text);
  };
  const stop = state.usage.listen(async (accesses) => {
    // The next page reports a configuration that cannot be read.
    const look = await state.look().catch(() => undefined);
    const records = accesses.map(({ owner }) => look?.byDir.get(owner)).filter((one) => one !== undefined);
    const skills = [...new Set(records.map((record) => look!.addressOf(record)))];
    send(`data: ${JSON.stringify({ skills, count: accesses.length })}\n\n`);
  });
  let next: NodeJS.Timeout | undefined;
  /** Looks at the logs, into which other processes write, as long as somebody follows. */
  const follow = async (): Promise<void> => {
    const look = await state.look().catch(() => undefined);
    await (look && state.usage.update(look.context.workspace));
    const wait = Math.max(LOOK_MS, LOOK_SHARE * state.usage.lookedMs);
    next = streams.size === 0 ? undefined : setTimeout(follow, wait).unref();
  };
  const beat = setInterval(() => send(': \n\n'), BEAT_MS).unref();

  return {
    open() {
      if (streams.size >= MAX_STREAMS) throw SkillwrightError.of('E095', { limit: String(MAX_STREAMS) });
      next ??= setTimeout(follow, 0).unref();
      let stream: ReadableStreamDefaultController<string>;
      const source = new ReadableStream<string>({
        start(controller) {
          stream = controller;
          streams.add(stream);
          stream.enqueue('retry: 2000\n\n');
          // The page may show numbers from before everything was counted and scanned.
          Promise.all([state.settled(), state.verdicts.settled()])
            .then(() => streams.has(stream) && stream.enqueue('event: settled\ndata: {}\n\n'))
            .catch(() => {});
        },
        cancel() {
          streams.delete(stream);
        },
      });
      return new Response(source.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream; charset=utf-8' },
      });
    },
    close() {
      stop();
      clearInterval(beat);
      clearTimeout(next);
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}
