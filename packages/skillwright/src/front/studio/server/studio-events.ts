// Server-sent events: accesses as they happen, and the numbers they change.

import { randomBytes } from 'node:crypto';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { LogFollower } from '../data/follow-logs.ts';
import { showAccesses } from '../data/read-activity.ts';
import type { StudioState } from '../data/studio-state.ts';
import { type LoggedAccess, RANGES, timeRange } from '../data/usage-counts.ts';

/** Open streams; a browser has one for each of its windows. */
const MAX_STREAMS = 32;
/** Events kept for browsers that come back. */
const MAX_KEPT = 500;
/** Shorter than the patience of proxies and browsers. */
const BEAT_MS = 20_000;

/** The events of a studio. */
export interface StudioEvents {
  /** Streams events to a browser, from the one after `last` on if it is known. E095 when there are too many streams. */
  open(last: string | undefined): Response;
  close(): void;
}

interface SentEvent {
  readonly number: number;
  readonly text: string;
}

/** Creates the stream of events. */
export function createEvents(state: StudioState, logs: LogFollower): StudioEvents {
  // Ids of an earlier studio on the same port mean nothing here.
  const run = randomBytes(4).toString('hex');
  const streams = new Set<ReadableStreamDefaultController<string>>();
  let kept: SentEvent[] = [];
  let number = 0;
  let queue = Promise.resolve();

  const push = (name: string | undefined, data: unknown): void => {
    number += 1;
    const title = name === undefined ? '' : `event: ${name}\n`;
    const text = `id: ${run}-${number}\n${title}data: ${JSON.stringify(data)}\n\n`;
    kept = [...kept.slice(1 - MAX_KEPT), { number, text }];
    for (const stream of streams) stream.enqueue(text);
  };
  const tell = async (accesses: readonly LoggedAccess[]): Promise<void> => {
    const look = await state.look();
    const shown = await showAccesses(accesses, look);
    for (const access of shown) push(undefined, access);
    const counts = new Map(
      accesses.flatMap(({ owner }) => {
        const record = look.byDir.get(owner);
        if (record === undefined) return [];
        const reads = RANGES.map((range) => [
          range,
          state.usage.of(owner, timeRange(range, state.front.now())).reads,
        ]);
        const numbers = { ...state.usage.of(owner), ...Object.fromEntries(reads) };
        return [[look.addressOf(record), numbers] as const];
      }),
    );
    if (counts.size > 0) push('counts', Object.fromEntries(counts));
  };
  const stop = state.usage.listen((accesses) => {
    queue = queue.then(() => tell(accesses)).catch(() => {});
  });
  const beat = setInterval(() => {
    for (const stream of streams) stream.enqueue(': \n\n');
  }, BEAT_MS).unref();

  return {
    open(last) {
      if (streams.size >= MAX_STREAMS) throw SkillwrightError.of('E095', { limit: String(MAX_STREAMS) });
      const [, own, from] = /^([0-9a-f]+)-(\d{1,15})$/.exec(last ?? '') ?? [];
      const missed = own === run ? kept.filter((event) => event.number > Number(from)) : [];
      const release = logs.hold();
      let stream: ReadableStreamDefaultController<string>;
      const source = new ReadableStream<string>({
        start(controller) {
          stream = controller;
          streams.add(stream);
          stream.enqueue('retry: 2000\n\n');
          for (const { text } of missed) stream.enqueue(text);
          // The page may show numbers from before everything was counted and scanned.
          Promise.all([state.settled(), state.verdicts.settled()])
            .then(() => streams.has(stream) && stream.enqueue('event: settled\ndata: {}\n\n'))
            .catch(() => {});
        },
        cancel() {
          streams.delete(stream);
          release();
        },
      });
      return new Response(source.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream; charset=utf-8' },
      });
    },
    close() {
      stop();
      clearInterval(beat);
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}
