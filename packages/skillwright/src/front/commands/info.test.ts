import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

const source = {
  '~/source/skills/alpha/SKILL.md': skillText('alpha', '# Alpha\n\nSteps.\n'),
  '~/source/skills/alpha/references/more.md': '# More\n\nWords.\n',
  '.skillc/skills/mine/SKILL.md': skillText('mine', '# Mine\n'),
};

async function installed() {
  const w = makeWorld(source);
  const words = ['--skill', 'alpha', '--yes', '--pin', '--target', 'claude'];
  expect((await w.run(['install', join(w.home, 'source'), ...words])).status).toBe(0);
  return w;
}

const listed = async (w: Awaited<ReturnType<typeof installed>>) =>
  ((await w.run(['list', '--json'])).json() as { skills: { name: string }[] }).skills;

test('list shows the source, the agents and the state of each skill', async () => {
  const w = await installed();
  const [alpha, mine] = await listed(w);
  expect(alpha).toEqual({
    verdict: 'clean',
    name: 'alpha',
    scope: 'project',
    status: 'normal',
    source_path: '<cwd>/.skillc/skills/alpha',
    runtime_path: '<cwd>/.skillc/runtime/alpha',
    form: expect.any(String),
    why: expect.any(String),
    mode: 'inline',
    agent: null,
    is_mode: false,
    seen_by: ['claude'],
    state: 'on',
    tokens: expect.any(Number),
    last_used: null,
    install: {
      source: '~/source',
      path: 'skills/alpha',
      version: null,
      commit: null,
      digest: expect.stringMatching(/^sha256:/),
      pinned: true,
      installed_at: '2026-01-02T03:04:05.000Z',
      agents: [{ agent: 'claude', method: 'link' }],
      edits: [],
      verdict: 'clean',
      update: null,
      notices: [],
      origin: null,
      checked_at: '2026-01-02T03:04:05.000Z',
    },
  });
  expect(mine).toMatchObject({ name: 'mine', install: null });
  const { stdout } = await w.run(['list']);
  expect(stdout.split('\n')[1]).toMatch(/^alpha +built +\w+ +claude +\d+ +clean +pinned$/);
});

test('both show the last use and the result of outdated', async () => {
  const w = await installed();
  await w.run(['show', 'alpha', '--section', 'Alpha'], { env: { SKC_NO_LOG: '' } });
  w.write({ '~/source/skills/alpha/SKILL.md': skillText('alpha', '# Alpha\n\nOther steps.\n') });
  await w.run(['outdated']);
  w.write({ '.skillc/skills/alpha/notes.md': 'mine' });
  const [alpha] = await listed(w);
  const update = {
    wanted: expect.any(String),
    latest: expect.any(String),
    checked_at: '2026-01-02T03:04:05.000Z',
  };
  const heard = { last_used: '2026-01-02T03:04:05.000Z', install: { update } };
  expect(alpha).toMatchObject(heard);
  expect((await w.run(['info', 'alpha', '--json'])).json()).toMatchObject({
    name: 'alpha',
    scope: 'project',
    ...heard,
    files: 3,
    scan: { verdict: 'clean', findings: 0 },
    changes: { modified: [], missing: [], extra: ['notes.md'], edited: [] },
  });
  const { stdout } = await w.run(['info', 'alpha']);
  expect(stdout).toMatch(/^ {2}source +~\/source \(skills\/alpha\)$/m);
  expect(stdout).toMatch(/^ {2}changes +extra notes.md$/m);
  expect(stdout).toMatch(/^ {2}agents +claude \(link\)$/m);
});

test('a skill that skc does not manage has no status and no form', async () => {
  const w = makeWorld({ '.git': { directory: true }, '.claude/skills/review/SKILL.md': skillText('review') });
  expect((await w.run(['info', 'review'])).stdout).not.toMatch(/^ {2}(?:status|form) /m);
});

test('list --check-updates asks first', async () => {
  const w = await installed();
  w.write({ '~/source/skills/alpha/SKILL.md': skillText('alpha', '# Alpha\n\nOther steps.\n') });
  const { skills } = (await w.run(['list', '--check-updates', '--json'])).json() as { skills: object[] };
  expect(skills[0]).toMatchObject({ install: { update: { wanted: expect.any(String) } } });
});

test('a skill that skc does not manage has its own facts', async () => {
  const w = makeWorld({ 'x/SKILL.md': skillText('x', '# X\n') });
  expect((await w.run(['info', './x', '--json'])).json()).toMatchObject({
    name: 'x',
    scope: null,
    install: null,
    changes: null,
    files: 1,
  });
});

test('tampered state files hide nothing', async () => {
  const w = await installed();
  for (const text of ['[]', '{"verdicts":{"__proto__":1}}', '{']) {
    w.write({ '~/.skillc/cache/verdicts.json': text, '~/.skillc/cache/news.json': text });
    expect((await listed(w)).map(({ name }) => name)).toEqual(['alpha', 'mine']);
  }
  w.write({ '.skillc/lock.json': '{' });
  expect(await listed(w)).toMatchObject([{ name: 'alpha', install: null }, { name: 'mine' }]);
});
