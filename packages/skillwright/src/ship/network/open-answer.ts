// One request up to the response headers. Redirects are followed by hand so that each hop is checked like the first.

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { toolVersion } from '../../base/version.ts';
import { checkUrl, resolveHost } from './check-url.ts';
import type { FetchedHead, FetcherSettings, FetchOptions, SendOptions } from './fetcher.ts';
import { describeFailure, misunderstood, oversized, refused, unreachable } from './network-error.ts';

const MAX_REDIRECTS = 5;
const SLICE = 64 * 1024;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A response whose body has not been read. */
export interface OpenAnswer extends FetchedHead {
  readonly message: IncomingMessage;
}

/** Parts of a request. */
export interface RequestPlan {
  readonly settings: FetcherSettings;
  readonly options: FetchOptions &
    Partial<Pick<SendOptions, 'body'> & { readonly method: SendOptions['method'] | 'HEAD' }>;
  readonly deadline: Deadline;
}

/** Requests a URL and follows at most five redirects. The caller must read or destroy the message. */
export async function openAnswer(start: string | URL, plan: RequestPlan): Promise<OpenAnswer> {
  const { options } = plan;
  const first = checkUrl(start);
  let url = first;
  let secure = url.protocol === 'https:';
  let headers = options.headers ?? {};
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await ask(url, { ...plan, options: { ...options, headers } });
    const target = redirects.has(answer.status) ? answer.headers.location : undefined;
    if (target === undefined) return answer;
    answer.message.destroy();
    if (options.method !== undefined && options.method !== 'HEAD')
      throw misunderstood(url, 'a redirect, which is not followed here');
    if (!URL.canParse(target, url.href))
      throw misunderstood(url, 'a redirect to something that is not a URL');
    const next = checkUrl(new URL(target, url));
    if (secure && next.protocol === 'http:') throw refused(next, `${url.host} redirects from https to http`);
    // Headers for one origin are never sent to another, nor again after a redirect back.
    if (next.origin !== url.origin) headers = {};
    secure ||= next.protocol === 'https:';
    url = next;
  }
  throw unreachable(first, `more than ${MAX_REDIRECTS} redirects`);
}

async function ask(url: URL, { settings, options, deadline }: RequestPlan): Promise<OpenAnswer> {
  try {
    const addresses = await deadline.race(resolveHost(url, settings, options));
    return await new Promise<OpenAnswer>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: options.method ?? 'GET',
        headers: {
          ...options.headers,
          accept: options.accept ?? '*/*',
          'accept-encoding': 'identity',
          'user-agent': `skillwright/${toolVersion}`,
          ...(options.body === undefined ? {} : { 'content-length': options.body.byteLength }),
        },
        // A new connection: never one that was opened for another address.
        agent: false,
        maxHeaderSize: 64 * 1024,
        signal: deadline.signal,
        ...(settings.ca === undefined ? {} : { ca: settings.ca }),
        // The name is not resolved again: the connection goes to the checked address.
        lookup: (_host, { all }, done) => {
          if (all) done(null, [...addresses]);
          else done(null, addresses[0]!.address, addresses[0]!.family);
        },
      });
      request.on('error', reject);
      request.on('response', (message) => {
        deadline.touch();
        resolve({
          url: url.href,
          status: message.statusCode ?? 0,
          headers: joinHeaders(message.headers),
          message,
        });
      });
      if (options.body === undefined) request.end();
      else Readable.from(slices(options.body, deadline)).pipe(request);
    });
  } catch (error) {
    if (deadline.why !== undefined) throw unreachable(url, deadline.why);
    throw error instanceof SkillwrightError ? error : unreachable(url, describeFailure(error), error);
  }
}

/** A body in parts, so that a slow upload differs from a stuck one. */
function* slices(body: Uint8Array, deadline: Deadline): Generator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += SLICE) {
    deadline.touch();
    yield body.subarray(at, at + SLICE);
  }
  deadline.touch();
}

function joinHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

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

/** A running clock; `signal` is aborted when time is up, with the reason as text. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Restarts the idle clock: data arrived. */
  touch(): void;
  /** The promise, or a rejection as soon as time is up. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Why time is up; undefined while it is not. */
  readonly why: string | undefined;
  stop(): void;
}

/** Starts the clock. `outer` ends it early. Times are in milliseconds. */
export function startDeadline(
  total: number,
  idle: number,
  options: { outer?: AbortSignal | undefined } = {},
): Deadline {
  const { outer } = options;
  const controller = new AbortController();
  let why: string | undefined;
  const end = (reason: string) => {
    why ??= reason;
    controller.abort();
  };
  const seconds = (time: number) => `${Math.round(time / 100) / 10} s`;
  const whole = setTimeout(() => end(`timed out after ${seconds(total)}`), total);
  const quiet = setTimeout(() => end(`timed out: nothing arrived for ${seconds(idle)}`), idle);
  const cancel = () => end('cancelled');
  if (outer?.aborted) cancel();
  else outer?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    get why() {
      return why;
    },
    touch: () => void quiet.refresh(),
    race: (promise) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error(why));
        if (controller.signal.aborted) fail();
        controller.signal.addEventListener('abort', fail, { once: true });
        promise.then(resolve, reject).finally(() => controller.signal.removeEventListener('abort', fail));
      }),
    stop() {
      clearTimeout(whole);
      clearTimeout(quiet);
      outer?.removeEventListener('abort', cancel);
    },
  };
}
