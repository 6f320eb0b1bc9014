import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTarGz } from '../../../test/make-archive.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { serveFiles } from '../../../test/serve.ts';
import { sha256 } from '../../base/files/hash.ts';

const text = (name: string) => skillText(name, `# ${name}\n\n${name.repeat(100)}\n`);
const LOCAL = '[network]\nallow_private = ["127.0.0.1"]\n';

/** Two skills from a server, installed one after the other. */
async function installed(config = ''): Promise<World & { url: string }> {
  const { url } = await serveFiles({
    '/alpha.tgz': makeTarGz({ 'SKILL.md': text('alpha'), 'notes.md': '# Notes\n' }),
    '/beta.tgz': makeTarGz({ 'SKILL.md': text('beta') }),
  });
  const w = makeWorld({ '~/.skillc/config.toml': LOCAL + config });
  expect((await w.run(['install', `${url}/alpha.tgz`, '--yes'])).status).toBe(0);
  for (const content of [text('alpha'), '# Notes\n']) age(w, content);
  expect((await w.run(['install', `${url}/beta.tgz`, '--yes'])).status).toBe(0);
  return { ...w, url };
}

const placeOf = (w: World, content: string) => {
  const hex = sha256(content);
  return join(w.home, '.skillc', 'cache', 'content', hex);
};
const age = (w: World, content: string) => utimesSync(placeOf(w, content), 1000, 1000);
const kept = (w: World) =>
  Object.keys(w.list(join(w.home, '.skillc', 'cache')))
    .map((path) => path.split('/').at(-1)!)
    .filter((name) => name.length === 64)
    .sort();
const hexOf = (...contents: string[]) => contents.map((content) => sha256(content)).sort();

test('shows its path and size, and prunes the files unused for longest', async () => {
  const w = await installed();
  const bytes = Buffer.byteLength(text('alpha') + text('beta')) + 8;
  expect((await w.run(['cache', '--json'])).json()).toEqual({
    path: '<home>/.skillc/cache/content',
    files: 3,
    bytes,
    max_bytes: 1024 ** 3,
    dry_run: false,
    pruned: null,
    forgot: null,
  });
  const limit = ['--max-bytes', String(Buffer.byteLength(text('beta')) + 1)];
  const dry = await w.run(['cache', '--prune', '--dry-run', ...limit]);
  expect([dry.status, dry.stdout.split('\n')[1]]).toEqual([
    0,
    expect.stringMatching(/^would remove 2 files, /),
  ]);
  expect(kept(w)).toHaveLength(3);
  expect((await w.run(['cache', '--prune', ...limit])).status).toBe(0);
  expect(kept(w)).toEqual(hexOf(text('beta')));
  expect((await w.run(['cache', '--prune', '--max-bytes', '0'])).stdout).toContain('removed 1 file, ');
  expect(kept(w)).toEqual([]);
  expect((await w.run(['cache', '--prune'])).stdout).toContain('nothing to remove');
});

test('an installation keeps it below the limit, but keeps its own files', async () => {
  const w = await installed(`[cache]\nmax_bytes = ${Math.ceil(Buffer.byteLength(text('beta')) * 1.6)}\n`);
  expect(kept(w)).toEqual(hexOf(text('beta')));
});

test('a project does not set the limit', async () => {
  const w = await installed();
  w.write({ '.skillc/config.toml': '[cache]\nmax_bytes = 1\n' });
  const { stderr, json } = await w.run(['cache', '--json']);
  expect([stderr.includes('cache.max_bytes'), json()]).toMatchObject([true, { max_bytes: 1024 ** 3 }]);
});

test('only files skc put there are deleted', async () => {
  const w = await installed();
  w.write({ '~/.skillc/cache/content/mine.txt': 'mine', '~/.skillc/cache/content/ab/other': 'mine' });
  await w.run(['cache', '--prune', '--max-bytes', '0']);
  expect(w.read('~/.skillc/cache/content/mine.txt')).toBe('mine');
  expect(w.read('~/.skillc/cache/content/ab/other')).toBe('mine');
});

test('offline, a restore says what is missing', async () => {
  const w = await installed();
  rmSync(join(w.project, '.skillc', 'skills'), { recursive: true });
  expect((await w.run(['install', '--offline'])).status).toBe(0);
  rmSync(join(w.project, '.skillc', 'skills'), { recursive: true });
  rmSync(placeOf(w, '# Notes\n'));
  const { status, stderr } = await w.run(['install', '--offline']);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(
      `error[E217]: needs the network: '${w.url}/alpha.tgz'\n  1 of 2 files not in the cache:\n  notes.md\n`,
    ),
  });
  expect(w.read('.skillc/skills/beta/SKILL.md')).toBe(text('beta'));
});
