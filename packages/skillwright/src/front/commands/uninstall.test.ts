import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';

const yes = ['--yes'];

async function installed(): Promise<World> {
  const w = makeWorld({
    '~/source/skills/alpha/SKILL.md': skillText('alpha'),
    '~/source/skills/beta/SKILL.md': skillText('beta'),
    '.skillc/skills/mine/SKILL.md': skillText('mine'),
    'x/SKILL.md': skillText('x'),
  });
  await w.run(['install', join(w.home, 'source'), '--all', ...yes, '--target', 'claude']);
  await w.run(['install', join(w.home, 'source'), '--all', ...yes, '--target', 'kiro', '--copy']);
  return w;
}

const paths = (w: World) => Object.keys(w.list(w.project)).filter((path) => path.includes('alpha'));

test('removes everything skc made of it, and nothing else', async () => {
  const w = await installed();
  await w.run(['show', 'alpha'], { env: { SKC_NO_LOG: '' } });
  const before = w.list(w.project);
  const dry = await w.run(['uninstall', 'alpha', '--dry-run']);
  expect(dry.stdout).toBe(
    'alpha: would be uninstalled\n  would remove <cwd>/.skillc/skills/alpha\n  would remove <cwd>/.claude/skills/alpha\n  would remove <cwd>/.kiro/skills/alpha\n',
  );
  expect(w.list(w.project)).toEqual(before);
  const { status, stdout } = await w.run(['uninstall', 'alpha']);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout:
      'alpha: uninstalled\n  removed <cwd>/.skillc/skills/alpha\n  removed <cwd>/.claude/skills/alpha\n  removed <cwd>/.kiro/skills/alpha\n',
  });
  expect(paths(w)).toEqual([]);
  expect(Object.keys(JSON.parse(w.read('.skillc/lock.json')).skills)).toEqual(['beta']);
  expect(existsSync(join(w.project, '.skillc/skills/mine/SKILL.md'))).toBe(true);
  expect((await w.run(['verify'])).stdout).toBe('beta: ok\n');
});

test('keeps a skill of the user with that name', async () => {
  const w = await installed();
  await w.run(['install', join(w.home, 'source'), '--skill', 'alpha', ...yes, '--scope', 'user']);
  await w.run(['uninstall', 'alpha']);
  expect((await w.run(['verify', 'alpha'])).stdout).toBe('alpha: ok\n');
  expect((await w.run(['uninstall', 'alpha', '--scope', 'project'])).stderr).toContain('error[E001]');
  expect((await w.run(['uninstall', 'alpha'])).status).toBe(0);
  expect(existsSync(join(w.home, '.claude/skills/alpha'))).toBe(false);
});

test('edits are kept', async () => {
  const w = await installed();
  w.write({ '.skillc/skills/alpha/notes.md': 'mine' });
  const refused = await w.run(['uninstall', 'beta', 'alpha']);
  expect({ status: refused.status, stderr: refused.stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining("error[E212]: local edits in the way: 'alpha'\n  alpha/notes.md"),
  });
  expect((await w.run(['verify', 'beta'])).status).toBe(0);
  const { stdout } = await w.run(['uninstall', 'alpha', '--force']);
  expect(stdout).toContain('backup of your edits: <cwd>/.skillc/skills/.alpha.bak-20260102T030405Z');
  expect(w.read('.skillc/skills/.alpha.bak-20260102T030405Z/notes.md')).toBe('mine');
});

test('says that a directory it replaced is there again', async () => {
  const w = makeWorld({
    '~/source/skills/alpha/SKILL.md': skillText('alpha'),
    '.claude/skills/alpha/SKILL.md': 'my own words',
  });
  const words = ['install', join(w.home, 'source'), ...yes, '--target', 'claude'];
  const refused = await w.run(words);
  expect(refused.stderr).toContain('error[E013]');
  expect((await w.run([...words, '--force'])).status).toBe(0);
  const { stdout } = await w.run(['uninstall', 'alpha']);
  const place = '<cwd>/.claude/skills/alpha';
  expect(stdout).toBe(
    `alpha: uninstalled\n  removed <cwd>/.skillc/skills/alpha\n  put back ${place}: it was there before skc deployed the skill\n`,
  );
  expect(w.read('.claude/skills/alpha/SKILL.md')).toBe('my own words');
});

test('a copy that was changed stays', async () => {
  const w = await installed();
  w.write({ '.kiro/skills/alpha/SKILL.md': 'my own words' });
  const { stdout } = await w.run(['uninstall', 'alpha']);
  expect(stdout).toContain('kept <cwd>/.kiro/skills/alpha');
  expect(w.read('.kiro/skills/alpha/SKILL.md')).toBe('my own words');
});

test.each([
  ['../../x', 'E100'],
  ['..', 'E100'],
  ['/etc', 'E100'],
  ['x', 'E001'],
  ['mine', 'E001'],
  ['__proto__', 'E100'],
  ['', 'E100'],
])('%j is refused, and nothing is removed', async (name, code) => {
  const w = await installed();
  const before = w.list();
  const { status, stderr } = await w.run(['uninstall', name, '--force']);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(`error[${code}]`) });
  expect(w.list()).toEqual(before);
});
