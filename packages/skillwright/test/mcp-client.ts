// `skc mcp` as a separate process, with the official client or with bare frames.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { renameSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { makeDirectory, makeSharedDirectory, type Tree, writeTree } from './make-directory.ts';
import { processEnvironment } from './process-environment.ts';
import { skcScript, skcStart } from './skc-program.ts';

/** The revisions of the protocol that clients speak. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** A place to serve from; paths that start with ~/ are in the home directory. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Makes one that is removed when the test is over. */
export function makePlace(files: Tree): Place {
  return placeIn(makeDirectory(treeOf(files)));
}

/** The same for tests that only read it: called beside them, removed when all of them are over. */
export function makeSharedPlace(files: Tree): Place {
  return placeIn(makeSharedDirectory(treeOf(files)));
}

/** Adds a skill to the work in one step: a server that watches sees all of it or nothing. */
export function addSkill({ cwd }: Place, directory: string, manifest: string): void {
  const beside = `${cwd}.added`;
  writeTree(beside, { 'SKILL.md': manifest });
  renameSync(beside, `${cwd}/${directory}`);
}

const placeIn = (root: string): Place => ({ cwd: `${root}/work`, home: `${root}/home` });

const treeOf = (files: Tree): Tree => ({
  'work/.keep': '',
  'home/.keep': '',
  ...Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path.startsWith('~/') ? `home/${path.slice(2)}` : `work/${path}`,
      content,
    ]),
  ),
});

const environment = ({ home }: Place) => ({ ...processEnvironment, SKC_HOME: home });

/** How a client is set up. */
export interface Connection extends ClientOptions {
  readonly era?: Era;
  /** Done to the client before it connects. */
  readonly setUp?: (client: Client) => void;
}

/** A client of this revision that is not connected yet. */
function makeClient({ era = eras[0], ...options }: Connection = {}): Client {
  const versionNegotiation = { mode: era === '2025-11-25' ? ('legacy' as const) : { pin: era } };
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation, ...options });
}

/** Starts a server at the place and connects to it; both end with the test. */
export async function connect(
  place: Place,
  options: Connection = {},
): Promise<{ client: Client; pid: number }> {
  const connected = await connectUntilClosed(place, options);
  onTestFinished(() => connected.client.close());
  return connected;
}

/** The same, shared by tests that change nothing; the caller closes the client. */
export async function connectUntilClosed(
  place: Place,
  options: Connection = {},
): Promise<{ client: Client; pid: number }> {
  const { setUp, ...rest } = options;
  const client = makeClient(rest);
  setUp?.(client);
  const [command, args] = skcStart(['mcp']);
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: place.cwd,
    env: environment(place),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return { client, pid: transport.pid! };
}

/** A server without a client: lines in, lines out. */
export interface BareServer {
  readonly process: ChildProcessWithoutNullStreams;
  send(message: unknown): void;
  /** The next line of standard output, which must be JSON. */
  receive(): Promise<Record<string, unknown>>;
  /** All lines of standard output so far. */
  readonly lines: string[];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  stderr(): string;
}

/** Starts `skc mcp` and nothing more. `runtime`: words for Node, which runs the script then. */
export function startServer(
  place: Place,
  words: readonly string[] = [],
  runtime?: readonly string[],
): BareServer {
  const server = startUntilKilled(place, words, runtime);
  onTestFinished(() => void server.process.kill('SIGKILL'));
  return server;
}

function startUntilKilled(place: Place, words: readonly string[], runtime?: readonly string[]): BareServer {
  const [program, args] =
    runtime === undefined
      ? skcStart(['mcp', ...words])
      : [process.execPath, [...runtime, skcScript, 'mcp', ...words]];
  const child = spawn(program, args, {
    cwd: place.cwd,
    env: environment(place),
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  const incoming = output[Symbol.asyncIterator]();
  output.on('line', (line) => lines.push(line));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  child.stdin.on('error', () => {});
  return {
    process: child,
    send: (message) =>
      void child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    receive: async () => JSON.parse((await incoming.next()).value as string),
    lines,
    exited: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
    stderr: () => errors,
  };
}

/** Shakes hands as a client of 2025 does. */
export async function initialize(server: BareServer): Promise<void> {
  const params = { protocolVersion: eras[0], capabilities: {}, clientInfo: { name: 'bare', version: '1' } };
  server.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await server.receive();
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

/** Starts a server over HTTP on a free port and gives its address; it ends with the test. */
export async function startHttp(place: Place): Promise<{ url: URL; server: BareServer }> {
  const server = startServer(place, ['--http', '0']);
  return { url: await addressOf(server), server };
}

/** The same, shared by tests that change nothing; the caller kills the process. */
export async function startHttpUntilKilled(place: Place): Promise<{ url: URL; server: BareServer }> {
  const server = startUntilKilled(place, ['--http', '0']);
  return { url: await addressOf(server), server };
}

function addressOf(server: BareServer): Promise<URL> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /http:\S+/.exec(server.stderr());
      if (found !== null) resolve(new URL(found[0]));
    };
    server.process.stderr.on('data', look);
    server.process.once('exit', () => reject(new Error(server.stderr())));
  });
}

/** Connects to a server over HTTP. */
export async function connectHttp(url: URL, options: Connection = {}): Promise<Client> {
  const { setUp, ...rest } = options;
  const client = makeClient(rest);
  setUp?.(client);
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  return client;
}
