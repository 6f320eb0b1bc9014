import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRepository } from '../../skillwright/test/make-repository.ts';
import { serveGit } from '../../skillwright/test/serve-git.ts';
import { runMain } from '../src/commands/run-main.ts';
import { copyEmptyData } from './copy-empty-data.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'skw-mirror-command-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const skill =
  '---\nname: one\ndescription: Use when one is wanted.\nmetadata:\n  version: "1.0.0"\n---\n\n# One\n';

test('mirror add, list, sync and remove, with and without a running server', async () => {
  const data = join(place, 'data');
  await copyEmptyData(data);
  const repository = makeRepository({ 'skills/one/SKILL.md': skill });
  const served = await serveGit(repository.dir);
  const source = `git+${served.url}/${basename(repository.dir)}`;
  const settings = ['--data', data, '--mirror-allow-private', '127.0.0.1'];
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const say = (line: string) =>
      void lines.push(line.replaceAll(served.url, '<host>').replaceAll(basename(repository.dir), 'repo'));
    const code = await runMain([...args, ...settings], {
      env: {},
      out: say,
      err: say,
      stop: new AbortController().signal,
    });
    return [code, ...lines];
  };
  const stop = new AbortController();
  const address = Promise.withResolvers<string>();
  const token = Promise.withResolvers<string>();
  const server = runMain(['--port', '0', ...settings], {
    env: {},
    out: (line) =>
      line.startsWith('Admin')
        ? token.resolve(line.split(' ').at(-1)!)
        : address.resolve(line.split(' ').at(-1)!),
    err: () => {},
    stop: stop.signal,
  });
  const url = await address.promise;
  const headers = { authorization: `Bearer ${await token.promise}`, 'content-type': 'application/json' };

  expect(await run('mirror', 'add', source, '--owner', 'acme')).toEqual([
    1,
    `there is no namespace @acme. Create it first: skc owner create @acme --registry ${url}`,
  ]);
  const made = await fetch(`${url}/api/v1/owners/@acme`, {
    method: 'PUT',
    headers,
    body: '{"title":"Acme"}',
  });
  expect(made.status).toBeLessThan(300);
  expect(await run('mirror', 'add', source, '--owner', 'acme', '--every', '2')).toEqual([
    1,
    'everyMinutes: Too small: expected number to be >=5',
  ]);
  expect(await run('mirror', 'add', '/etc', '--owner', 'acme')).toEqual([
    1,
    'a mirror is the https address of a git repository or of a site',
  ]);
  expect(await run('mirror', 'add', source, '--owner', '@acme', '--every', '90')).toEqual([
    0,
    'added 1: git+<host>/repo -> @acme, every 90 minutes, not fetched yet',
  ]);
  expect(await run('mirror', 'sync', '1')).toEqual([
    0,
    'git+<host>/repo: 1 published, 0 unchanged',
    '  @acme/one@1.0.0',
  ]);
  expect(await run('mirror', 'sync', '7')).toEqual([
    1,
    'there is no mirror 7. See: skillwright-registry mirror list',
  ]);
  stop.abort();
  expect(await server).toBe(0);

  expect(await run('mirror', 'list')).toEqual([
    0,
    expect.stringMatching(/^1: git\+<host>\/repo -> @acme, every 90 minutes, fetched \d{4}-/),
  ]);
  expect(await run('mirror', 'list', '--owner', 'other')).toEqual([0]);
  repository.git(['checkout', '--quiet', '--detach']);
  repository.git(['branch', '-D', 'main']);
  repository.git(['symbolic-ref', 'HEAD', 'refs/heads/gone']);
  expect((await run('mirror', 'sync', '1'))[0]).toBe(1);
  const findings = (await run('doctor')).join('\n');
  expect(findings).toMatch(/^0\nok/);
  expect(findings).toMatch(
    /warning mirrors: git\+<host>\/repo fails: .*\n +after a repair run: skillwright-registry mirror sync 1;/,
  );
  expect(findings).toMatch(/ok {6}log: .*: \d+ leaves agree with what was signed/);
  expect(findings).toMatch(/ok {6}lock: process \d+ on /);
  expect(await run('mirror', 'remove', '1')).toEqual([
    0,
    'removed 1: git+<host>/repo; the skills of @acme stay',
  ]);
  expect(await run('mirror', 'list')).toEqual([0]);
}, 300_000);
