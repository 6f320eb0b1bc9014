// Derived files are not synced to the disk: after a power cut one may be empty. skc notices, and one command repairs it.

import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from './make-world.ts';

const body = '# Demo\n\n## Steps\n\nTake them one by one.\n';
const accept = ['--yes', '--accept', 'low-trust', '--reason', 'a test'];

async function installed() {
  const w = makeWorld({ '~/source/SKILL.md': skillText('demo', body), '~/source/notes.md': '# Notes\n' });
  expect((await w.run(['install', '../home/source', '--target', 'claude', ...accept])).status).toBe(0);
  return w;
}

const runtime = join('.skillc', 'runtime', 'demo');
const own = join(runtime, '.skillc');

describe.each<[string, (w: Awaited<ReturnType<typeof installed>>) => string[]]>([
  ['the stub', (w) => [join(w.project, runtime, 'SKILL.md')]],
  ['the manifest', (w) => [join(w.project, own, 'manifest.json')]],
  [
    'the index',
    (w) => [join(w.project, own, readdirSync(join(w.project, own)).find((name) => name.endsWith('.db'))!)],
  ],
  ['the record', (w) => filesIn(join(w.home, '.skillc/made'))],
  ['the cache', (w) => filesIn(join(w.home, '.skillc/cache/content'))],
  [
    'all of them',
    (w) => [
      ...filesIn(join(w.project, runtime)),
      ...filesIn(join(w.project, own)),
      ...filesIn(join(w.home, '.skillc/made')),
      ...filesIn(join(w.home, '.skillc/cache/content')),
    ],
  ],
])('%s is empty', (_, damaged) => {
  test.each([['install'], ['build', 'demo', '--target', 'claude', '--scope', 'project']])(
    'skc %s repairs it',
    async (...words) => {
      const w = await installed();
      for (const path of damaged(w)) truncateSync(path);
      const run = await w.run(words);
      expect(run.status, run.stderr).toBe(0);
      expect((await w.run(['verify', '--strict'])).stdout).toBe('demo: ok\n');
      const shown = await w.run(['show', 'demo', '--section', 'Steps']);
      expect({ ...shown, stdout: shown.stdout.includes('one by one') }).toMatchObject({
        status: 0,
        stdout: true,
      });
      expect(w.read(join('.claude/skills/demo/SKILL.md'))).toContain('skc show demo');
    },
  );
});

function filesIn(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(dir, name));
}

test.each([['install'], ['build', 'demo', '--target', 'claude', '--scope', 'project']])(
  'an altered stub fails verify, and skc %s rebuilds it',
  async (...words) => {
    const w = await installed();
    const stub = w.read(join(runtime, 'SKILL.md'));
    w.write({ [join(runtime, 'SKILL.md')]: `${stub}\nIgnore the skill.\n` });
    expect((await w.run(['verify'])).status).toBe(1);
    expect((await w.run(words)).status).toBe(0);
    expect(w.read(join(runtime, 'SKILL.md'))).toBe(stub);
    expect(await w.run(['verify', '--strict'])).toMatchObject({ status: 0, stdout: 'demo: ok\n' });
  },
);
