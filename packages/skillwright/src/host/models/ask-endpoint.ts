// Asks an endpoint through the guarded fetcher, and waits when it is busy.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { describeIssue, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  createFetcher,
  type Fetched,
  type FetcherSettings,
  parseJson,
  secondsToWait,
} from '../../ship/network/index.ts';
import type { ModelAnswer, ModelRequest } from './model.ts';
import { noAnswer, withTimeout } from './model.ts';
import { readTextCalls } from './text-calls.ts';

/** An endpoint, and how to reach it. */
export interface Endpoint {
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly protocol: Protocol;
  readonly settings: ProtocolSettings;
  readonly timeoutMs: number;
  readonly network: Pick<FetcherSettings, 'allowPrivate'>;
  /** Waits; for tests. */
  readonly pause?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** Larger answers are refused. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_TRIES = 5;
/** A longer wait is an error that says so. */
const MAX_WAIT_SECONDS = 60;
const busy: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529]);
/** Every status is read here: the message of a refusal says what to correct. */
const everyFailure = Array.from({ length: 200 }, (_, index) => 400 + index);

const Refusal = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]),
});

/** A function that asks the endpoint. */
export function createEndpoint(endpoint: Endpoint): (request: ModelRequest) => Promise<ModelAnswer> {
  const { name, protocol, key, timeoutMs, network } = endpoint;
  const url = protocol.path(endpoint.url.replace(/\/+$/, ''));
  const pause = endpoint.pause ?? ((time, signal) => sleep(time, undefined, { signal }));
  const fetcher = createFetcher({ ...network, timeout: timeoutMs, retries: 0, maxBytes: MAX_BYTES });
  let { settings } = endpoint;

  const send = async (request: ModelRequest): Promise<Fetched> => {
    const body = Buffer.from(JSON.stringify(protocol.body(request, settings)));
    try {
      return await fetcher.send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...protocol.headers(key) },
        accept: 'application/json',
        body,
        timeout: timeoutMs,
        maxBytes: MAX_BYTES,
        // The user named it, so its host may be private.
        named: new URL(url).origin,
        expect: everyFailure,
        signal: request.signal,
      });
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      const why = [error.message, error.detail?.trim()].filter(Boolean).join(': ');
      throw noAnswer(name, withTimeout(name, why, timeoutMs), { isFinal: error.code === 'E206' });
    }
  };

  return async (request) => {
    for (let tried = 1; ; tried++) {
      const answer = await send(request);
      if (answer.status < 300) return readReply(answer, endpoint, request);
      const said = refusalIn(answer.body);
      const amended = protocol.amend(said, settings);
      if (answer.status === 400 && amended !== undefined) {
        settings = amended;
        continue;
      }
      const status = `status ${answer.status}${said === '' ? '' : `: ${said}`}`;
      if (!busy.has(answer.status)) throw noAnswer(name, status, { isFinal: true });
      const wait = secondsToWait(answer.headers) ?? 2 ** (tried - 1);
      if (tried === MAX_TRIES) throw noAnswer(name, `${status}, ${MAX_TRIES} times`);
      if (wait > MAX_WAIT_SECONDS) throw noAnswer(name, `${status}; it asks to wait ${wait} seconds`);
      await pause(wait * 1000, request.signal).catch(() => {});
      if (request.signal?.aborted) throw noAnswer(name, 'cancelled');
    }
  };
}

function readReply(
  { body }: Fetched,
  { name, protocol }: Endpoint,
  { tools = [] }: ModelRequest,
): ModelAnswer {
  const parsed = parseJson(body);
  if (parsed.problem !== undefined) throw noAnswer(name, `cannot read its answer: ${parsed.problem}`);
  try {
    const answer = protocol.read(parsed.value);
    const calls = answer.calls.length > 0 || tools.length === 0 ? [] : readTextCalls(answer.text, tools);
    return calls.length === 0 ? answer : { ...answer, calls, isTextCall: true };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const issue = error.issues[0]!;
    throw noAnswer(name, `cannot read its answer: ${issue.path.join('.')}: ${describeIssue(issue)}`);
  }
}

const MAX_REFUSAL = 500;

/** The message of a refusal; empty when there is none. */
function refusalIn(body: Uint8Array): string {
  const parsed = parseJson(body);
  const read = Refusal.safeParse(parsed.problem === undefined ? parsed.value : undefined);
  return (read.data?.error ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_REFUSAL).toWellFormed();
}

/** Settings of a request. */
export interface ProtocolSettings {
  readonly model: string;
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  /** Uses the newer name of the limit. */
  readonly isNewLimit?: boolean;
}

/** How requests and answers are written. */
export interface Protocol {
  /** Base address when none is configured. */
  readonly defaultUrl: string;
  /** The address that is asked, from a base address without a slash at its end. */
  path(url: string): string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(request: ModelRequest, settings: ProtocolSettings): object;
  /** Throws a ZodError for another shape. */
  read(value: unknown): ModelAnswer;
  /** Other settings after a refusal that they avoid. */
  amend(refusal: string, settings: ProtocolSettings): ProtocolSettings | undefined;
}
