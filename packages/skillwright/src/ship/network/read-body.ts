// Reads the body of a response, up to a limit.

import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Deadline } from './deadline.ts';
import type { FetchOptions } from './fetcher.ts';
import { describeFailure, misunderstood, oversized, unreachable } from './network-error.ts';
import type { OpenAnswer } from './open-answer.ts';

/** Options for reading a body. */
interface BodyPlan {
  readonly maxBytes: number;
  readonly deadline: Deadline;
  /** Keeps the bytes as sent, without decoding. */
  readonly raw?: boolean;
  readonly onProgress?: FetchOptions['onProgress'];
}

/** The chunks of a body. E207 as soon as it exceeds the limit, E200 when it stops early or takes too long. */
export async function* readBody(answer: OpenAnswer, plan: BodyPlan): AsyncGenerator<Buffer> {
  const { message, url, headers } = answer;
  const { maxBytes, deadline } = plan;
  const announced = headers['content-length'];
  const total = announced !== undefined && /^\d{1,15}$/.test(announced) ? Number(announced) : undefined;
  let given = 0;
  try {
    if (total !== undefined && total > maxBytes) throw oversized(url, maxBytes);
    const arriving = watch(message, { plan, total });
    for await (const chunk of plan.raw ? arriving : decode(arriving, answer)) {
      given += chunk.length;
      if (given > maxBytes) throw oversized(url, maxBytes);
      yield chunk;
    }
    if (!message.complete) throw unreachable(url, 'the connection was closed early');
  } catch (error) {
    if (error instanceof SkillwrightError) throw error;
    const broken = isEncodingError(error) ? `cannot be decoded (${headers['content-encoding']})` : undefined;
    if (broken !== undefined && deadline.why === undefined) throw misunderstood(url, broken);
    throw unreachable(url, deadline.why ?? describeFailure(error), error);
  } finally {
    message.destroy();
  }
}

async function* watch(
  message: AsyncIterable<Buffer>,
  { plan, total }: { plan: BodyPlan; total: number | undefined },
): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of message) {
    plan.deadline.touch();
    received += chunk.length;
    plan.onProgress?.({ received, total });
    yield chunk;
  }
}

/** The decompressed body. The size limit applies to the result, so a decompression bomb fails. */
function decode(body: AsyncIterable<Buffer>, { headers, url }: OpenAnswer): AsyncIterable<Buffer> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return body;
  const create = decoders.get(encoding);
  if (create === undefined) throw misunderstood(url, `an unknown encoding: ${encoding}`);
  // A failure of either stream ends both, and the reader gets the error.
  return pipeline(Readable.from(body), create(), () => {});
}

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

function isEncodingError(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^(?:Z_|ERR__?ERROR_FORMAT|ERR_BROTLI|ERR_PADDING)/.test(code);
}
