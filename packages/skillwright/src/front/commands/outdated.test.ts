import { describe, expect, test } from 'vitest';
import { makeTarGz } from '../../../test/make-archive.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { serve } from '../../../test/serve.ts';
import { widthOf } from './text-width.ts';

const LOCAL = '[network]\nallow_private = ["127.0.0.1"]\n';
const accept = ['--yes', '--accept', 'low-trust', '--reason', 'a test'];
const archive = (text: string) => makeTarGz({ 'SKILL.md': skillText('demo', `# ${text}\n`) });

type Headers = Record<string, string>;

/** A server with one archive whose content and headers a test changes. */
async function serveArchive(headers: Headers, { refusesHead = false } = {}) {
  const state = { body: archive('One'), headers };
  const served = await serve(({ method }, response) => {
    if (method === 'HEAD' && refusesHead) response.writeHead(405).end();
    else response.writeHead(200, { ...state.headers, 'content-length': state.body.length }).end(state.body);
  });
  const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
  const url = `${served.url}/demo.tar.gz`;
  expect((await w.run(['install', url, ...accept])).status).toBe(0);
  const ask = async () => {
    const before = served.requests.length;
    const { stdout } = await w.run(['outdated', '--json']);
    const [{ status, wanted, current }] = (
      JSON.parse(stdout) as { skills: [{ status: string; wanted: string; current: string }] }
    ).skills;
    // One label for the version that is current.
    expect(wanted === current).toBe(status === 'current');
    return { status, wanted, requests: served.requests.slice(before) };
  };
  return { state, ask, w };
}

const head = ['HEAD /demo.tar.gz'];
const get = ['GET /demo.tar.gz'];

describe('an archive on the web', () => {
  test('is not downloaded to see whether it changed', async () => {
    const { state, ask, w } = await serveArchive({ etag: '"one"' });
    expect(await ask()).toMatchObject({ status: 'current', requests: head });
    Object.assign(state, { body: archive('Two'), headers: { etag: 'W/"two-abc"' } });
    expect(await ask()).toEqual({ status: 'outdated', wanted: 'two-abc', requests: head });
    expect(await ask()).toEqual({ status: 'outdated', wanted: 'two-abc', requests: head });
    expect((await w.run(['update', ...accept])).status).toBe(0);
    expect(await ask()).toMatchObject({ status: 'current', requests: head });
  });

  test('is compared by time and size if the server has no ETags', async () => {
    const { state, ask } = await serveArchive({ 'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT' });
    expect(await ask()).toMatchObject({ status: 'current', requests: head });
    state.headers = { 'last-modified': 'Tue, 03 Nov 2026 10:00:00 GMT' };
    expect(await ask()).toEqual({ status: 'outdated', wanted: '2026-11-03', requests: head });
  });

  test.each([
    ['where the server tells neither', {}, {}, get],
    ['where the server refuses the question', { etag: '"one"' }, { refusesHead: true }, [...head, ...get]],
  ])('is downloaded %s', async (_, headers: Headers, options, requests) => {
    const { state, ask } = await serveArchive(headers, options);
    expect(await ask()).toMatchObject({ status: 'current', requests });
    Object.assign(state, { body: archive('Two') });
    expect(await ask()).toMatchObject({ status: 'outdated', requests });
  });

  test('is not remembered by a dry run', async () => {
    const served = await serve((_, response) => {
      response.writeHead(200, { etag: '"one"' }).end(archive('One'));
    });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    const before = w.list();
    expect((await w.run(['install', `${served.url}/demo.tar.gz`, '--dry-run'])).status).toBe(0);
    expect(w.list()).toEqual(before);
  });
});

describe('tables fit the terminal', () => {
  const long = 'a-skill-with-a-name-that-is-rather-long-for-a-table';
  const source = (name: string) => ({
    [`~/somewhere/far/away/in/a/deep/place/${name}/SKILL.md`]: skillText(name),
  });

  test.each([
    ['list', 'FORM, SCOPE, SOURCE, VERSION, STATUS, TOKENS'],
    ['outdated', 'SOURCE, LATEST, CURRENT'],
  ])('%s', async (command, left) => {
    const w = makeWorld({ ...source(long), ...source('demo') });
    const words = ['--all', '--target', 'claude,cursor,goose', ...accept];
    expect((await w.run(['install', '../home/somewhere/far/away/in/a/deep/place', ...words])).status).toBe(0);
    const { stdout } = await w.run([command]);
    expect(stdout).toContain(long);
    expect(stdout.split('\n').filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(stdout).toContain(`not shown: ${left}; use --json\n`);
  });
});
