// The way from a command to the server that has the embedded database: a port on this machine, with a secret in a file only
// its user can read.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Registry } from '../registry.ts';
import type { DirectoryInUse } from '../store/data-lock.ts';
import { type ControlName, controlWork } from './control-work.ts';

const fileOf = (data: string) => join(data, 'control.json');

/** Serves commands until the returned function is called. */
export async function serveControl(registry: Registry): Promise<() => void> {
  const secret = randomBytes(32).toString('base64url');
  const expected = Buffer.from(`Bearer ${secret}`);
  const server = createServer((request, response) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    const name = request.url?.slice(1) ?? '';
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || !(name in controlWork)) {
      response.writeHead(404).end();
      return;
    }
    const write = (bytes: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        response.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    controlWork[name as ControlName](registry, write).then(
      () => response.end(),
      (error: Error) => response.destroy(error),
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

/** Has the running server do the work; fails with the given error when it cannot be reached. */
export async function askControl(
  { data, name }: { readonly data: string; readonly name: ControlName },
  { write, inUse }: { readonly write: (bytes: Uint8Array) => Promise<void>; readonly inUse: DirectoryInUse },
): Promise<void> {
  const body = await reach(data, name).catch(() => undefined);
  if (body === undefined) throw inUse;
  for await (const bytes of body) await write(bytes);
}

async function reach(data: string, name: string): Promise<ReadableStream<Uint8Array> | undefined> {
  const { port, secret } = JSON.parse(await readFile(fileOf(data), 'utf8')) as {
    port: number;
    secret: string;
  };
  const response = await fetch(`http://127.0.0.1:${port}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
  });
  return response.ok ? (response.body ?? undefined) : undefined;
}
