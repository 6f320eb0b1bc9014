// Messages a connection receives during a call.

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { createAskedStates } from './ask-person.ts';
import type { Backend, Caller, ToolCall } from './backend.ts';
import { createServer } from './create-server.ts';
import { loadTools } from './load-tools.ts';

/** A client of a server whose calls the test controls. */
async function connectTo(work: (call: ToolCall, signal: AbortSignal) => Promise<string>) {
  const backend = {
    callTool: async ({ signal }: Caller, call: ToolCall) => ({
      result: {
        content: [{ type: 'text', text: await work(call, signal!) }],
        structuredContent: { error: undefined },
      },
    }),
  } as unknown as Backend;
  const notes: string[] = [];
  const serving = {
    tools: await loadTools(),
    backend,
    states: createAskedStates(),
    beatMs: 1,
    note: (text: string) => void notes.push(text),
  };
  const { mcp } = createServer(serving, { cwd: async () => '/', tellsChanges: false });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([mcp.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return { client, notes };
}

test('a long call sends a heartbeat and its messages', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { client, notes } = await connectTo(({ hears }) => {
    hears?.({ kind: 'progress', text: 'building 1 of 2' });
    return promise;
  });
  const told: { progress: number; message?: string | undefined }[] = [];
  const call = client.callTool(
    { name: 'skc_build', arguments: {} },
    {
      onprogress({ progress, message }) {
        told.push({ progress, message });
        // One message from the work, one from the server.
        if (told.length === 2) resolve('done');
      },
    },
  );
  expect((await call).content).toEqual([{ type: 'text', text: 'done' }]);
  expect(told.slice(0, 2)).toEqual([
    { progress: 1, message: 'building 1 of 2' },
    { progress: 2, message: expect.stringMatching(/^skc_build: \d+ s$/) },
  ]);
  expect(notes).toEqual([]);
});

test('a client that requested no messages gets none', async () => {
  const heard: boolean[] = [];
  const { client } = await connectTo(async ({ hears }) => {
    heard.push(hears !== undefined);
    return 'done';
  });
  await client.callTool({ name: 'skc_build', arguments: {} });
  expect(heard).toEqual([false]);
});

test('cancelling a call stops its work', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const { client } = await connectTo((_call, signal) => {
    signal.addEventListener('abort', () => ended.resolve('aborted'));
    begun.resolve();
    return ended.promise;
  });
  const leaving = new AbortController();
  const call = client.callTool({ name: 'skc_run', arguments: {} }, { signal: leaving.signal });
  await begun.promise;
  leaving.abort();
  await expect(call).rejects.toThrow();
  expect(await ended.promise).toBe('aborted');
});
