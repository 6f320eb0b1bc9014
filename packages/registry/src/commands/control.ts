// The way from a command to the server that has the embedded database: a port on this machine, with a secret in a file only
// its user can read.

import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdminToken } from '../accounts/index.ts';
import { writeBackup } from '../backup/index.ts';
import { Failure, isSameSecret, Problem } from '../base/index.ts';
import { examine, repairArchives, tidy } from '../doctor/index.ts';
import { openRegistry, type Registry } from '../registry.ts';
import type { Settings } from '../settings/index.ts';
import { DirectoryInUse } from '../store/index.ts';

/** Status of work that the user's words made impossible; the body is the reason. */
const REFUSED = 422;

const fileOf = (data: string) => join(data, 'control.json');

/** Serves commands until the returned function is called. */
export async function serveControl(registry: Registry): Promise<() => void> {
  const secret = randomBytes(32).toString('base64url');
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${secret}`) || !(name in controlWork)) {
      response.writeHead(404).end();
      return;
    }
    const write = (bytes: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        response.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    readInput(request)
      .then((input) => controlWork[name as ControlName](registry, { input, write }))
      .then(
        () => response.end(),
        (error: Error) => {
          if (!response.headersSent && (error instanceof Failure || error instanceof Problem))
            response.writeHead(REFUSED).end(error.message);
          else response.destroy(error);
        },
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = fileOf(registry.settings.data);
  writeFileSync(file, `${JSON.stringify({ port, secret })}\n`, { mode: 0o600 });
  return () => {
    rmSync(file, { force: true });
    server.close();
    server.closeAllConnections();
  };
}

async function readInput(request: AsyncIterable<Uint8Array>): Promise<WorkOrder['input']> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as WorkOrder['input'];
}

/** Has the running server do the work; fails with the given error when it cannot be reached. */
async function askControl(
  {
    data,
    name,
    inUse,
  }: { readonly data: string; readonly name: ControlName; readonly inUse: DirectoryInUse },
  { input, write }: WorkOrder,
): Promise<void> {
  const response = await reach({ data, name }, input).catch(() => undefined);
  if (response?.status === REFUSED) throw new Problem(await response.text());
  if (!response?.ok || response.body === null) throw inUse;
  for await (const bytes of response.body) await write(bytes);
}

async function reach(
  { data, name }: { readonly data: string; readonly name: string },
  input: WorkOrder['input'],
): Promise<Response> {
  const { port, secret } = JSON.parse(await readFile(fileOf(data), 'utf8')) as {
    port: number;
    secret: string;
  };
  return fetch(`http://127.0.0.1:${port}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(input),
  });
}

/** Runs the work and passes on the bytes it writes. */
export async function doWork(
  settings: Settings,
  { name, ...order }: WorkOrder & { readonly name: ControlName },
): Promise<void> {
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  try {
    registry = await openRegistry(settings);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    return askControl({ data: settings.data, name, inUse: error }, order);
  }
  try {
    await controlWork[name](registry, order);
  } finally {
    await registry.close();
  }
}

/** Does the work, and returns its result as text. */
export async function doWorkForText(
  settings: Settings,
  { name, input = {} }: { readonly name: ControlName; readonly input?: WorkOrder['input'] },
): Promise<string> {
  const parts: Uint8Array[] = [];
  await doWork(settings, {
    name,
    input,
    write: async (bytes) => {
      parts.push(bytes);
    },
  });
  return Buffer.concat(parts).toString('utf8');
}

/** The words and flags of a command line that the work needs, and where its result goes. */
interface WorkOrder {
  readonly input: Readonly<Record<string, string>>;
  write(bytes: Uint8Array): Promise<void>;
}

type Work = (registry: Registry, order: WorkOrder) => Promise<void>;

const controlWork = {
  async backup(registry, { write }) {
    await writeBackup(registry, write);
  },
  async 'admin-token'(registry, { write }) {
    await write(Buffer.from(await createAdminToken(registry)));
  },
  async doctor(registry, { input, write }) {
    const repaired = input.repair === undefined ? [] : [await repairArchives(registry, input.repair)];
    const tidied = input.tidy === 'yes' ? await tidy(registry) : [];
    const found = await examine(registry, { isThorough: input.all === 'yes' });
    await write(Buffer.from(JSON.stringify([...repaired, ...tidied, ...found])));
  },
} as const satisfies Record<string, Work>;

/** A piece of work by name. */
type ControlName = keyof typeof controlWork;
