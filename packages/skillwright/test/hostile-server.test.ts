// A server answers and ends even if its work never does. A stopped process simulates endless work.

import { readdirSync, readFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type BareServer,
  connect,
  connectHttp,
  initialize,
  makePlace,
  startHttp,
  startServer,
} from './mcp-client.ts';
import { startRpc } from './rpc-client.ts';

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n---\n\n# ${name}\n\nText of ${name}.\n`;
const one = { '.skillc/skills/one/SKILL.md': skill('one') };
const shown = { content: [{ type: 'text', text: '# one\n\nText of one.\n' }] };
const show = { name: 'skc_show', arguments: { skill: 'one', section: ['one'] } };
const frame = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: show });

/** The processes that a server has started. */
function deputiesOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return Number(parent) === pid;
      } catch {
        // It has ended meanwhile.
        return false;
      }
    })
    .map(Number);
}

/** Stops every deputy of a server, to simulate endless work. */
function freeze(pid: number): number[] {
  const frozen = deputiesOf(pid);
  for (const deputy of frozen) process.kill(deputy, 'SIGSTOP');
  onTestFinished(() => {
    for (const deputy of frozen)
      try {
        process.kill(deputy, 'SIGKILL');
      } catch {
        // It is gone, as it should be.
      }
  });
  return frozen;
}

/** A busy machine must not fail a test. */
const patience = { timeout: 60_000 };

const isAlive = (pid: number) => {
  try {
    // A process that has ended and was not waited for is a zombie.
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test('others are answered while one request hangs, and the list is still known', async () => {
  const { client, pid } = await connect(makePlace(one));
  expect(await client.callTool(show)).toMatchObject(shown);
  expect(freeze(pid)).not.toEqual([]);
  const hanging = client.callTool(show).catch(() => 'given up');
  // The first request keeps its process busy; these need another one.
  expect(await client.callTool(show)).toMatchObject(shown);
  expect((await client.listTools()).tools).not.toEqual([]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['one']);
  void hanging;
});

test('a long call does not hold up a short one', async () => {
  const { client, pid } = await connect(makePlace(one));
  await client.callTool(show);
  const [first] = deputiesOf(pid);
  const linting = client.callTool({ name: 'skc_lint', arguments: { paths: ['one'] } });
  const others = await vi.waitFor(() => {
    const found = deputiesOf(pid).filter((deputy) => deputy !== first);
    expect(found).toHaveLength(1);
    return found;
  }, patience);
  process.kill(others[0]!, 'SIGSTOP');
  expect(await client.callTool(show)).toMatchObject(shown);
  process.kill(others[0]!, 'SIGCONT');
  expect(await linting).toMatchObject({ structuredContent: { errors: expect.any(Number) } });
});

test('a request that takes too long is given up, and the next one is answered', async () => {
  const server = startServer(makePlace({ ...one, '~/.skillc/config.toml': '[server]\ntimeout = 3\n' }));
  await initialize(server);
  const frozen = freeze(server.process.pid!);
  server.send(frame(1));
  expect(await receiveAnswer(server, 1)).toMatchObject({
    id: 1,
    result: {
      isError: true,
      structuredContent: {
        error: { code: 'E090', message: "time limit reached: 'skc_show' took longer than 3 s" },
      },
    },
  });
  await vi.waitFor(() => expect(frozen.filter(isAlive)).toEqual([]), patience);
  for (let id = 2; ; id++) {
    server.send(frame(id));
    const answer = await receiveAnswer(server, id);
    if (answer.result?.isError === true) continue;
    expect(answer).toMatchObject({ id, result: shown });
    break;
  }
});

/** The answer to a request; skips notifications. */
async function receiveAnswer(server: BareServer, id: number): Promise<{ result?: { isError?: boolean } }> {
  for (;;) {
    const message = await server.receive();
    if (message.id === id) return message;
  }
}

test('a process that dies fails its own request alone', async () => {
  const { client, pid } = await connect(makePlace(one));
  await client.callTool(show);
  // On a busy machine there may be a second one already.
  const frozen = freeze(pid);
  const call = client.callTool(show);
  // Stopped, one of them takes the order and dies with it.
  await client.listTools();
  for (const deputy of frozen) process.kill(deputy, 'SIGKILL');
  const result = await call;
  expect([undefined, 'E091']).toContain(
    (result.structuredContent as { error?: { code: string } }).error?.code,
  );
  expect(await client.callTool(show)).toMatchObject(shown);
});

async function expectEnd(server: Pick<BareServer, 'process' | 'exited'>, signal: 'SIGTERM' | 'SIGINT') {
  const frozen = freeze(server.process.pid!);
  expect(frozen).not.toEqual([]);
  server.process.kill(signal);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(frozen.filter(isAlive)).toEqual([]);
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a server that hangs, and what works for it',
  async (signal) => {
    const server = startServer(makePlace(one));
    await initialize(server);
    for (let id = 1; id <= 5; id++) server.send(frame(id));
    await expectEnd(server, signal);
  },
);

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends one over HTTP, with connections open', async (signal) => {
  const { url, server } = await startHttp(makePlace(one));
  await openSockets(Number(url.port), 20);
  await expectEnd(server, signal);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends skc rpc that hangs', async (signal) => {
  const client = startRpc(makePlace(one));
  await client.call('skills.list');
  freeze(client.process.pid!);
  void client.call('skills.load', { name: 'one' }).catch(() => {});
  await expectEnd(client, signal);
});

/** Connections that send nothing. */
async function openSockets(port: number, count: number): Promise<Socket[]> {
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connectSocket(port, '127.0.0.1', () => resolve(socket));
          socket.once('error', reject);
        }),
    ),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => {});
  return sockets;
}

test('idle connections do not keep others out', async () => {
  const { url } = await startHttp(makePlace(one));
  await openSockets(Number(url.port), 300);
  const client = await connectHttp(url);
  expect(await client.callTool(show)).toMatchObject(shown);
});

test('connections that send half a request do not keep others out', async () => {
  const { url } = await startHttp(makePlace(one));
  const sockets = await openSockets(Number(url.port), 300);
  for (const socket of sockets)
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${url.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
  const client = await connectHttp(url);
  expect(await client.callTool(show)).toMatchObject(shown);
});

test('a client that waits for events is told at once that it is listened to', async () => {
  const { url } = await startHttp(makePlace(one));
  const client = await connectHttp(url);
  const session = (client.transport as { sessionId?: string }).sessionId!;
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
  });
  expect([200, 409]).toContain(response.status);
  await response.body?.cancel();
});

test('skc rpc answers others while one request hangs, and forgets nothing that was loaded', async () => {
  const client = startRpc(makePlace({ ...one, '.skillc/skills/two/SKILL.md': skill('two') }));
  const { session_id } = await client.call('initialize', { trust: true });
  expect((await client.call('skills.load', { name: 'one' })).status).toBe('loaded');
  freeze(client.process.pid!);
  void client.call('skills.load', { name: 'two' }).catch(() => {});
  expect((await client.call('skills.load', { name: 'one' })).status).toBe('already-loaded');
  expect(await client.call('initialize', { trust: true })).toMatchObject({ trusted: true, session_id });
});

test('skc rpc gives a request up that takes too long', async () => {
  const client = startRpc({ ...makePlace(one), env: { SKC_SERVER_TIMEOUT: '3' } });
  await vi.waitFor(() => expect(deputiesOf(client.process.pid!)).not.toEqual([]), patience);
  freeze(client.process.pid!);
  await expect(client.call('skills.load', { name: 'one' })).rejects.toMatchObject({
    data: { code: 'E090' },
  });
});
