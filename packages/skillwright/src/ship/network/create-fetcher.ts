// HTTP requests with address checks, limits and retries.

import { open, rm } from 'node:fs/promises';
import type * as z from 'zod';
import { describeIssue, SkillwrightError } from '../../base/diagnostics/index.ts';
import { createSha256, writeError } from '../../base/files/index.ts';
import type { Config } from '../../skill/config/index.ts';
import type {
  Downloaded,
  Fetched,
  FetchedHead,
  Fetcher,
  FetcherSettings,
  FetchOptions,
  SendOptions,
} from './fetcher.ts';
import { misunderstood, statusError } from './network-error.ts';
import {
  type Deadline,
  type OpenAnswer,
  openAnswer,
  type RequestPlan,
  readBody,
  startDeadline,
} from './open-answer.ts';
import { parseJson } from './parse-json.ts';
import { planWaits } from './plan-waits.ts';
import { MAX_REFUSAL_BYTES, readServerWords, type ServerWords } from './server-words.ts';

const defaults = { timeout: 10_000, downloadTimeout: 600_000, maxBytes: 100 * 1024 * 1024 };
/** Time a server may take to process an upload. */
const SEND_IDLE = 60_000;
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** A fetcher with these settings. */
export function createFetcher(settings: FetcherSettings = {}): Fetcher {
  const idle = settings.timeout ?? defaults.timeout;
  const limitOf = (options: FetchOptions) => options.maxBytes ?? settings.maxBytes ?? defaults.maxBytes;

  /** Sends a request, and repeats it when the server asks to wait. Each try has its own deadline. */
  const ask = async <Value>(
    url: string | URL,
    { options, ...time }: { options: RequestPlan['options']; total: number; idle: number },
    read: (answer: OpenAnswer, deadline: Deadline) => Promise<Value>,
  ): Promise<Value> => {
    const waits = planWaits(settings, options);
    for (;;) {
      const tried = await withDeadline(options, time, async (deadline) => {
        const answer = await openAnswer(url, { settings, options, deadline });
        const wait = waits.askedFor(answer);
        if (wait === undefined) return { value: await read(answer, deadline) };
        answer.message.destroy();
        return { wait };
      });
      if ('value' in tried) return tried.value;
      await waits.pause(url, tried.wait);
    }
  };

  const get = (url: string | URL, options: FetchOptions = {}): Promise<Fetched> =>
    ask(url, { options, total: idle, idle }, async (answer, deadline) =>
      withBody(await expected(answer, { options, deadline }), {
        options,
        deadline,
        maxBytes: limitOf(options),
      }),
    );

  return {
    get,
    head: (url, options = {}) =>
      ask(url, { options: { ...options, method: 'HEAD' }, total: idle, idle }, async (answer, deadline) => {
        const open = await failing(answer, deadline);
        open.message.destroy();
        return headOf(open);
      }),
    async getJson(url, schema, options = {}) {
      const maxBytes = options.maxBytes ?? Math.min(MAX_JSON_BYTES, limitOf(options));
      const { body, ...head } = await get(url, { accept: 'application/json', ...options, maxBytes });
      return { ...head, value: readJson(body, schema, head.url) };
    },
    download: (url, file, options = {}) => {
      const total = settings.downloadTimeout ?? defaults.downloadTimeout;
      return ask(url, { options, total, idle }, async (answer, deadline) =>
        toFile(await failing(answer, deadline), file, { options, deadline, maxBytes: limitOf(options) }),
      );
    },
    send: (url, options: SendOptions) => {
      const total = settings.downloadTimeout ?? defaults.downloadTimeout;
      const time = { total, idle: Math.max(idle, SEND_IDLE) };
      return ask(url, { options, ...time }, async (answer, deadline) => {
        const maxBytes = options.maxBytes ?? MAX_JSON_BYTES;
        const open = await expected(answer, { options, deadline });
        return withBody(open, { options, deadline, maxBytes });
      });
    },
  };
}

/** Settings from the `[network]` section of the configuration. */
export function fetcherSettings(network: Config['network']): FetcherSettings {
  return {
    allowPrivate: network.allow_private,
    timeout: network.timeout * 1000,
    maxBytes: network.max_bytes,
  };
}

/** JSON that matches a schema, or E215 that names `url`. */
export function readJson<Schema extends z.ZodType>(
  body: Uint8Array,
  schema: Schema,
  url: string,
): z.output<Schema> {
  const parsed = parseJson(body);
  if (parsed.problem !== undefined) throw misunderstood(url, parsed.problem);
  const result = schema.safeParse(parsed.value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.path.map(String).join('.');
  throw misunderstood(url, `${path === '' ? '' : `${path}: `}${describeIssue(issue)}`);
}

interface Reading {
  readonly options: FetchOptions;
  readonly deadline: Deadline;
  readonly maxBytes: number;
}

async function withDeadline<Value>(
  options: FetchOptions,
  { total, idle }: { total: number; idle: number },
  work: (deadline: Deadline) => Promise<Value>,
): Promise<Value> {
  const whole = options.timeout ?? total;
  const deadline = startDeadline(whole, Math.min(idle, whole), { outer: options.signal });
  try {
    return await work(deadline);
  } finally {
    deadline.stop();
  }
}

/** The response, if its status is a success or one that the caller expects. */
async function expected(
  answer: OpenAnswer,
  { options, deadline }: { options: FetchOptions; deadline: Deadline },
): Promise<OpenAnswer> {
  return options.expect?.includes(answer.status) ? answer : failing(answer, deadline);
}

/** The response. For an error status, an error that includes the server's message. */
async function failing(answer: OpenAnswer, deadline: Deadline): Promise<OpenAnswer> {
  if (answer.status < 300) return answer;
  if (answer.status < 400) {
    answer.message.destroy();
    throw misunderstood(answer.url, `status ${answer.status} without a target`);
  }
  throw statusError(answer.url, { ...answer, said: await readServerRefusal(answer, deadline) });
}

/** The server's message, if the body is JSON that holds one. */
async function readServerRefusal(answer: OpenAnswer, deadline: Deadline): Promise<ServerWords | undefined> {
  if (!/[/+]json\b/i.test(answer.headers['content-type'] ?? '')) {
    answer.message.destroy();
    return undefined;
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of readBody(answer, { maxBytes: MAX_REFUSAL_BYTES, deadline })) chunks.push(chunk);
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
  return readServerWords(Buffer.concat(chunks));
}

function headOf({ url, status, headers }: FetchedHead): FetchedHead {
  return { url, status, headers };
}

async function withBody(answer: OpenAnswer, { options, deadline, maxBytes }: Reading): Promise<Fetched> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBody(answer, { maxBytes, deadline, onProgress: options.onProgress }))
    chunks.push(chunk);
  return { ...headOf(answer), body: Buffer.concat(chunks) };
}

async function toFile(
  answer: OpenAnswer,
  file: string,
  { options, deadline, maxBytes }: Reading,
): Promise<Downloaded> {
  const hash = createSha256();
  let bytes = 0;
  const body = readBody(answer, { maxBytes, deadline, raw: true, onProgress: options.onProgress });
  const handle = await open(file, 'wx').catch((error: unknown) => {
    answer.message.destroy();
    throw writeError(file, error);
  });
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk).catch((error: unknown) => {
        throw writeError(file, error);
      });
    }
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(file, { force: true });
    throw error;
  }
  return { ...headOf(answer), sha256: hash.digest('hex'), bytes };
}
