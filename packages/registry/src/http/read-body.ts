// Reads the body of a request within bounds of size and time.

import type { Context } from 'hono';
import { Failure } from '../base/index.ts';

/** Bounds of a body. */
interface BodyLimits {
  readonly maxBytes: number;
  readonly seconds: number;
  /** Bytes that have to arrive each second on average, where a slow body keeps others waiting. */
  readonly pace?: number;
}

/** Seconds before the pace counts: connections start slowly. */
const START_SECONDS = 10;

/** The whole body. Stops reading as soon as a bound is exceeded. */
export async function readBody(
  context: Context,
  { maxBytes, seconds, pace = 0 }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new Failure('too_large', `the body has more than ${maxBytes} bytes`);
  const announced = context.req.header('content-length');
  if (announced !== undefined && !(Number(announced) <= maxBytes)) throw tooLarge();
  const stream = context.req.raw.body;
  if (stream === null) return new Uint8Array(0);
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let received = 0;
  const began = performance.now();
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_, reject) => {
    const fail = (message: string) => reject(new Failure('bad_request', message));
    timers.push(
      setTimeout(() => fail(`the body did not arrive within ${seconds} seconds`), seconds * 1000),
      setInterval(() => {
        const elapsed = (performance.now() - began) / 1000;
        if (elapsed >= START_SECONDS && received < pace * elapsed)
          fail(`the body arrives too slowly: less than ${pace} bytes a second`);
      }, 1000),
    );
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) break;
      received += value.byteLength;
      if (received > maxBytes) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error instanceof Failure ? error : new Failure('bad_request', 'the body broke off');
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
  if (announced !== undefined && Number(announced) !== received)
    throw new Failure('bad_request', `the body has ${received} bytes; its header says ${announced}`);
  return Buffer.concat(chunks);
}

/** A field of a form; undefined for files and repeated fields. */
export async function formField(context: Context, name: string): Promise<string | undefined> {
  const value = (await context.req.parseBody())[name];
  return typeof value === 'string' ? value : undefined;
}
