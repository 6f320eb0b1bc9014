// The built registry on the oldest Node it promises to run on: start, publish, search, read, stop, import.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import { startServer } from '../../registry/test/server-process.ts';
import { digestOfBytes, packedSkill, skillText } from '../../registry/test/skill-world.ts';
import { makeDirectory } from '../../skillwright/test/make-directory.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const node = join(root, 'packages/consumers/node_modules/.bin/node');
const main = join(root, 'packages/registry/dist/main.js');

test('the program of every thread is built', () => {
  const threads = globSync('packages/registry/src/**/*-worker.ts', { cwd: root }).map((path) =>
    basename(path, '.ts'),
  );
  expect(threads.sort()).toEqual(['embedded-worker', 'import-worker', 'inspect-worker']);
  for (const thread of threads)
    expect(existsSync(join(root, `packages/registry/dist/${thread}.js`)), thread).toBe(true);
});

test('the built registry runs on Node 22', async () => {
  expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v22\./);
  const place = makeDirectory({
    data: { directory: true },
    'skills/second/SKILL.md': skillText({ name: 'second', version: '2.0.0' }),
  });
  const data = join(place, 'data');
  const server = await startServer({ data, program: [node, main] });
  try {
    const token = server.lines.map((line) => /skwr_\S+/.exec(line)?.[0]).find((found) => found !== undefined);
    const ask = async (request: string, options: { body?: string | Uint8Array; digest?: string } = {}) => {
      const [method = '', path = ''] = request.split(' ');
      const { body, digest } = options;
      const answer = await fetch(`${server.url}/api/v1/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          ...(digest === undefined ? {} : { [DIGEST_HEADER]: digest }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return { status: answer.status, value: isJson ? JSON.parse(text) : text };
    };
    expect((await ask('PUT owners/@acme', { body: '{}' })).status).toBe(201);
    const archive = packedSkill({ name: 'first', version: '1.0.0', files: {} });
    const digest = digestOfBytes(archive);
    expect(await ask('PUT skills/@acme/first/1.0.0', { body: archive, digest })).toMatchObject({
      status: 201,
      value: { version: '1.0.0', archive: digest },
    });
    const found = await ask('GET search?q=first');
    expect(found.value.skills.map(({ name }: { name: string }) => name)).toEqual(['@acme/first']);
    expect(await ask('GET read/@acme/first/outline')).toEqual({
      status: 200,
      value: 'SKILL.md\n  # Steps\n',
    });
  } finally {
    await server.stop();
  }
  expect(server.process.exitCode).toBe(0);
  const words = [main, 'import', join(place, 'skills'), '--owner', 'acme', '--data', data];
  expect(spawnSync(node, words, { encoding: 'utf8' }).stdout).toBe('imported 1, existed 0, failed 0\n');
});
