import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { sha256 } from '../../base/files/hash.ts';

async function installed(): Promise<World> {
  const w = makeWorld({
    '~/source/SKILL.md': skillText('demo'),
    '~/source/scripts/run.sh': '#!/bin/sh\n',
    '~/source/references/a.md': '# A\n',
  });
  const words = ['install', join(w.home, 'source'), '--yes'];
  await w.run([...words, '--target', 'claude']);
  await w.run([...words, '--target', 'kiro', '--copy']);
  return w;
}

const store = '.skillc/skills/demo';

const tampering: readonly [string, (w: World) => void, string][] = [
  [
    'a changed file',
    (w) => w.write({ [`${store}/scripts/run.sh`]: '#!/bin/sh\nrm -rf /\n' }),
    '  modified: scripts/run.sh\n',
  ],
  [
    'a missing file',
    (w) => rmSync(join(w.project, store, 'references/a.md')),
    '  missing: references/a.md\n',
  ],
  ['a file too many', (w) => w.write({ [`${store}/extra.sh`]: 'x' }), '  extra: extra.sh\n'],
  [
    'a mode',
    (w) => chmodSync(join(w.project, store, 'scripts/run.sh'), 0o755),
    '  modified: scripts/run.sh\n',
  ],
  [
    'a link out in the place of a file',
    (w) => {
      rmSync(join(w.project, store, 'references/a.md'));
      symlinkSync('/etc/hostname', join(w.project, store, 'references/a.md'));
    },
    '  modified: references/a.md\n',
  ],
  ['a circle of links', (w) => symlinkSync('loop', join(w.project, store, 'loop')), '  extra: loop\n'],
  [
    'a link that is gone',
    (w) => rmSync(join(w.project, '.claude/skills/demo')),
    '  claude: <cwd>/.claude/skills/demo is missing\n',
  ],
  [
    'a link that leads elsewhere',
    (w) => {
      rmSync(join(w.project, '.claude/skills/demo'));
      mkdirSync(join(w.project, 'evil'));
      symlinkSync('../../evil', join(w.project, '.claude/skills/demo'));
    },
    '  claude: <cwd>/.claude/skills/demo was replaced by something else\n',
  ],
  [
    'a link that leads nowhere',
    (w) => {
      rmSync(join(w.project, '.claude/skills/demo'));
      symlinkSync('../../nowhere', join(w.project, '.claude/skills/demo'));
    },
    '  claude: <cwd>/.claude/skills/demo is a broken link\n',
  ],
  [
    'a changed copy',
    (w) => writeFileSync(join(w.project, '.kiro/skills/demo/SKILL.md'), 'something else'),
    '  kiro: <cwd>/.kiro/skills/demo was changed\n',
  ],
  [
    'a missing runtime directory',
    (w) => rmSync(join(w.project, '.skillc/runtime/demo'), { recursive: true }),
    '  not compiled\n  claude: <cwd>/.claude/skills/demo is a broken link\n  kiro: <cwd>/.kiro/skills/demo was changed\n',
  ],
];

describe('skc verify', () => {
  test('everything matches', async () => {
    const w = await installed();
    expect(await w.run(['verify'])).toMatchObject({ status: 0, stdout: 'demo: ok\n' });
  });

  test.each(tampering)('%s is reported', async (_, tamper, lines) => {
    const w = await installed();
    tamper(w);
    const { status, stdout } = await w.run(['verify']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: `demo: differs from the lock\n${lines}` });
  });

  test('a directory that is gone', async () => {
    const w = await installed();
    rmSync(join(w.project, store), { recursive: true });
    expect(await w.run(['verify'])).toMatchObject({
      status: 1,
      stdout: "demo: its directory is gone; 'skc install' restores it\n",
    });
  });

  test('works in a read-only project', async () => {
    const w = await installed();
    chmodSync(join(w.project, '.skillc'), 0o555);
    const { status } = await w.run(['verify']);
    chmodSync(join(w.project, '.skillc'), 0o755);
    expect(status).toBe(0);
  });

  test('unknown skills and damaged journals are refused', async () => {
    const w = await installed();
    expect((await w.run(['verify', '../x'])).stderr).toContain('error[E100]');
    expect((await w.run(['verify', 'other'])).stderr).toContain('error[E001]');
    w.write({
      '.skillc/.install/journal.json': '{"version":1,"id":"../../x","before":null,"after":"","skills":[]}',
    });
    expect((await w.run(['verify'])).stderr).toContain('error[E015]');
  });
});

describe('skills-lock.json', () => {
  const lock = (skills: unknown) => JSON.stringify({ version: 1, skills });

  test('is checked where agents keep skills', async () => {
    const hash = sha256('SKILL.mdhellosub/a.mdworld');
    const w = makeWorld({
      'skills-lock.json': lock({
        good: { source: 'o/r', sourceType: 'github', computedHash: hash },
        bad: { source: 'o/r', sourceType: 'github', computedHash: hash },
        gone: { source: 'o/r', sourceType: 'github', computedHash: hash },
      }),
      '.agents/skills/good/SKILL.md': 'hello',
      '.agents/skills/good/sub/a.md': 'world',
      '.agents/skills/good/node_modules/x/y.js': 'left out',
      '.claude/skills/good': { link: '../../.agents/skills/good' },
      '.agents/skills/bad/SKILL.md': 'tampered',
    });
    expect(await w.run(['verify'])).toMatchObject({
      status: 1,
      stdout:
        'good (skills-lock.json): ok\nbad (skills-lock.json): modified\ngone (skills-lock.json): missing\n',
    });
  });

  test.each([
    '{',
    '{"version":2,"skills":{}}',
    lock({ '../x': {} }),
    lock({ a: { source: 'x', computedHash: 'y' } }),
  ])('%s is refused', async (text) => {
    const w = makeWorld({ 'skills-lock.json': text });
    expect((await w.run(['verify'])).stderr).toContain('error[E211]: lock file unusable');
  });
});
