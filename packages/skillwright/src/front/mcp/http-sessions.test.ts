import { McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpSessions, SESSION_HEADER } from './http-sessions.ts';

const url = 'http://127.0.0.1/mcp';
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const handshake = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
};

/** Sessions with their own clock, and requests that stay open until told to end. */
function makeSessions(options: { maxSessions?: number; idleMs?: number } = {}) {
  const clock = { now: 0 };
  const closed: number[] = [];
  let made = 0;
  const sessions = createHttpSessions({
    createServer: () => {
      const number = made++;
      const mcp = new McpServer({ name: 'test', version: '1' });
      mcp.server.onclose = () => closed.push(number);
      return { mcp, tellChanges() {}, tellUpdates() {}, follow: async () => {} };
    },
    now: () => new Date(clock.now),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(() => sessions.close());
  const post = (message: unknown, more: Record<string, string> = {}) => {
    const sent = new AbortController();
    const body = JSON.stringify(message);
    const request = new Request(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
      signal: sent.signal,
    });
    return { request, finish: () => sent.abort() };
  };
  /** Performs the handshake; returns the id of the session, or the status of a refusal. */
  const start = async () => {
    const { request, finish } = post(handshake);
    const response = await sessions.start(request, handshake);
    await response!.text();
    finish();
    return response!.headers.get(SESSION_HEADER) ?? response!.status;
  };
  const ping = async (id: string | number) => {
    const { request, finish } = post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { [SESSION_HEADER]: `${id}` },
    );
    const response = await sessions.serve(request);
    await response.text();
    finish();
    return response.status;
  };
  /** Opens the stream of a session; call the result to close it. */
  const listen = async (id: string | number) => {
    const gone = new AbortController();
    const request = new Request(url, {
      headers: { accept: 'text/event-stream', [SESSION_HEADER]: `${id}` },
      signal: gone.signal,
    });
    const { body, status } = await sessions.serve(request);
    expect(status).toBe(200);
    return async () => {
      await body!.cancel();
      gone.abort();
    };
  };
  return { sessions, clock, closed, start, ping, listen };
}

test('an idle session ends; one with requests or a stream stays', async () => {
  const { clock, closed, start, ping, listen } = makeSessions({ idleMs: 1000 });
  const [forgotten, used, heard] = [await start(), await start(), await start()];
  const leave = await listen(heard);
  clock.now = 999;
  expect(await ping(used)).toBe(200);
  clock.now = 1000;
  expect([await ping(forgotten), await ping(used), await ping(heard)]).toEqual([404, 200, 200]);
  clock.now = 5000;
  expect([await ping(used), await ping(heard)]).toEqual([404, 200]);
  expect(closed).toEqual([0, 1]);
  await leave();
  clock.now = 6000;
  expect(await ping(heard)).toBe(404);
});

test('when full, the longest idle session is dropped, never one in use', async () => {
  const { clock, start, ping, listen } = makeSessions({ maxSessions: 2 });
  const first = await start();
  clock.now = 1;
  const second = await start();
  clock.now = 2;
  expect(await ping(first)).toBe(200);
  const third = await start();
  expect([await ping(first), await ping(second), await ping(third)]).toEqual([200, 404, 200]);
  const leave = [await listen(first), await listen(third)];
  expect(await start()).toBe(503);
  await leave[0]!();
  expect(await start()).toEqual(expect.any(String));
  expect([await ping(first), await ping(third)]).toEqual([404, 200]);
});

test('many handshakes at once do not exceed the limit', async () => {
  const { start } = makeSessions({ maxSessions: 3 });
  const answers = await Promise.all(Array.from({ length: 20 }, start));
  expect(answers.filter((answer) => answer === 503)).toHaveLength(17);
});

test('only a handshake starts a session', async () => {
  const { sessions } = makeSessions();
  for (const message of [
    undefined,
    null,
    [],
    {},
    [handshake],
    { ...handshake, params: {} },
    { ...handshake, method: 'ping' },
  ])
    expect(await sessions.start(new Request(url, { method: 'POST', headers, body: '{}' }), message)).toBe(
      undefined,
    );
});

test('a refused handshake leaves no session', async () => {
  const { sessions, closed } = makeSessions();
  const request = new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect((await sessions.start(request, handshake))?.status).toBe(406);
  expect(closed).toEqual([0]);
});
