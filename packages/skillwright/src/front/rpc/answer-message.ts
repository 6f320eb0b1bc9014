// JSON-RPC 2.0: answers one line.

import type * as z from 'zod';
import {
  describeIssue,
  diagnosticOf,
  failureJson,
  internalError,
  SkillwrightError,
  suggest,
} from '../../base/diagnostics/index.ts';
import { isMapping } from '../../skill/format/index.ts';
import type { AnyMethod, Connection } from '../commands/index.ts';
import { loadMethods } from './load-methods.ts';
import { RpcError, rpcErrorCodes } from './rpc-error.ts';

type Id = string | number | null;

interface Response {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Most messages per batch, so that a short line cannot request an endless answer. */
const MAX_BATCH = 1000;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Answers one line; undefined for notifications and blank lines. Never throws. */
export async function answerLine(line: Uint8Array, connection: Connection): Promise<string | undefined> {
  const read = readLine(line);
  return read === undefined || 'refusal' in read ? read?.refusal : answerText(read.text, connection);
}

/** The text of a line; undefined for a blank one, or the refusal of one that is not JSON. */
export function readLine(line: Uint8Array): { text: string } | { refusal: string } | undefined {
  try {
    const text = decoder.decode(line);
    if (text.trim() === '') return undefined;
    JSON.parse(text);
    return { text };
  } catch {
    return { refusal: JSON.stringify(failure(null, new RpcError('parseError', 'the line is not JSON'))) };
  }
}

/** Answers a line that was given up: every request in it fails. Undefined when there is none. */
export function failLine(text: string, error: unknown): string | undefined {
  const message: unknown = JSON.parse(text);
  const failed = [message].flat().flatMap((request) => {
    const id = idOf(request);
    return id === undefined ? [] : [failure(id, error)];
  });
  if (failed.length === 0) return undefined;
  return JSON.stringify(Array.isArray(message) ? failed : failed[0]);
}

/** Answers a line of JSON. */
export async function answerText(
  text: string,
  connection: Connection,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const message: unknown = JSON.parse(text);
  const within: Connection = { ...connection, signal };
  const answer = Array.isArray(message)
    ? await answerBatch(message, within)
    : await answerRequest(message, within);
  return answer === undefined ? undefined : JSON.stringify(answer);
}

/** Answers a line that is too long to read. */
export function refuseLine(maxBytes: number): string {
  const why = `the message is longer than ${maxBytes} bytes`;
  return JSON.stringify(failure(null, new RpcError('invalidRequest', why)));
}

async function answerBatch(
  batch: readonly unknown[],
  connection: Connection,
): Promise<Response | Response[] | undefined> {
  if (batch.length === 0) return failure(null, new RpcError('invalidRequest', 'a batch must not be empty'));
  if (batch.length > MAX_BATCH) {
    const why = `the batch has more than ${MAX_BATCH} messages`;
    return failure(null, new RpcError('invalidRequest', why));
  }
  const answers = await Promise.all(batch.map((message) => answerRequest(message, connection)));
  const sent = answers.filter((answer) => answer !== undefined);
  return sent.length === 0 ? undefined : sent;
}

async function answerRequest(message: unknown, connection: Connection): Promise<Response | undefined> {
  let id: Id = null;
  let isNotification = false;
  const given = new AbortController();
  const signal =
    connection.signal === undefined ? given.signal : AbortSignal.any([given.signal, connection.signal]);
  const key = idOf(message) ?? null;
  try {
    const request = readRequest(message);
    id = request.id ?? null;
    isNotification = request.id === undefined;
    const method = await methodNamed(request.method);
    const input = readParams(method.input, request.params);
    if (key !== null) connection.requests.set(key, given);
    const result = await method.run(input, { ...connection, signal });
    return isNotification ? undefined : { jsonrpc: '2.0', id, result };
  } catch (error) {
    const why = signal.aborted && error === signal.reason ? cancelled(message) : error;
    return isNotification ? undefined : failure(idOf(message) ?? id, why);
  } finally {
    if (key !== null && connection.requests.get(key) === given) connection.requests.delete(key);
  }
}

const cancelled = (message: unknown) =>
  SkillwrightError.of('E091', { what: isMapping(message) ? String(message.method) : 'request' });

interface Request {
  readonly method: string;
  readonly params: unknown;
  /** Undefined for a notification. */
  readonly id: Id | undefined;
}

function readRequest(message: unknown): Request {
  if (!isMapping(message)) throw new RpcError('invalidRequest', 'a message must be an object');
  const { jsonrpc, method, params } = message;
  if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'method must be a string');
  const id = idOf(message);
  if (Object.hasOwn(message, 'id') && id === undefined)
    throw new RpcError('invalidRequest', 'id must be a string, null or an exact number');
  return { method, params, id };
}

/** Id of a message; undefined when it has none that can be sent back unchanged. */
function idOf(message: unknown): Id | undefined {
  if (!isMapping(message) || !Object.hasOwn(message, 'id')) return undefined;
  const { id } = message;
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : undefined;
  return typeof id === 'string' || id === null ? id : undefined;
}

async function methodNamed(name: string): Promise<AnyMethod> {
  const methods = await loadMethods();
  const method = methods.get(name);
  if (method !== undefined) return method;
  const [candidate] = suggest(name, [...methods.keys()]);
  const more = candidate === undefined ? '' : `; did you mean ${candidate}?`;
  throw new RpcError('methodNotFound', `unknown method ${JSON.stringify(name.slice(0, 100))}${more}`);
}

function readParams(schema: z.ZodObject, params: unknown = {}): Record<string, unknown> {
  if (!isMapping(params)) throw new RpcError('invalidParams', 'params must be an object');
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new RpcError('invalidParams', explainIssue(issue, params));
}

function explainIssue(issue: z.core.$ZodIssue, params: Record<string, unknown>): string {
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return `unknown field ${[...issue.path, issue.keys[0]].join('.').slice(0, 100)}`;
  if (field === '') return issue.message;
  return issue.path.length === 1 && !Object.hasOwn(params, field)
    ? `missing ${field}`
    : `${field} ${describeIssue(issue)}`;
}

/** An error response. Unexpected errors are bugs, reported in the same form. */
function failure(id: Id, error: unknown): Response {
  if (error instanceof RpcError)
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
  const expected = error instanceof SkillwrightError;
  const diagnostic = diagnosticOf(expected ? error : internalError(error));
  const code = expected ? rpcErrorCodes.failed : rpcErrorCodes.internalError;
  const { error: data } = failureJson(diagnostic);
  return { jsonrpc: '2.0', id, error: { code, message: diagnostic.message, data } };
}
