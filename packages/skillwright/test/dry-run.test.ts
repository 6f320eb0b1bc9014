// Every command that writes has a dry run.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliNames, cliTable } from '../src/front/cli/cli-table.ts';
import { makeWorld, skillText } from './make-world.ts';

/** Commands that write and have no --dry-run, and why. */
const reasons: Record<string, string> = {
  ci: 'looks, and writes the reports that are named',
  doctor: 'looks, unless --fix is given',
  quiz: 'an answer counts or is not given',
  run: 'runs a script, whose effects nobody knows before; scripts says what it may do',
  tools: 'calls a tool, as run does',
  report: 'looks, and writes the report and the baseline that are named',
  scan: 'looks, unless --write-baseline is given',
  scripts: 'looks, unless --grant or --revoke is given',
  login: 'a login is confirmed in the browser, or it leaves nothing',
  logout: 'removes one token',
  mcp: 'serves until it is stopped',
  rpc: 'serves until it is stopped',
  studio: 'serves until it is stopped; an export writes to the directory that is named',
};

test('every command that writes has --dry-run, or a reason', async () => {
  const without: string[] = [];
  for (const name of cliNames) {
    const { effect, input } = await cliTable[name].load();
    if (effect !== 'read' && !('dry_run' in input.shape)) without.push(name);
  }
  expect(without.sort()).toEqual(Object.keys(reasons).sort());
});

const world = () =>
  makeWorld({
    '~/source/skills/alpha/SKILL.md': skillText('alpha', '# Alpha\n'),
    '~/source/skills/beta/SKILL.md': skillText('beta', '# Beta\n'),
    '.skillc/skills/mine/SKILL.md': skillText('mine', '# Mine\n'),
    '.skillc/skills/mine/eval_queries.json': '[{ "query": "testing mine", "should_trigger": true }]\n',
    '~/.skillc/config.toml': '[models.m]\nkind = "command"\ncommand = ["touch", "made"]\n',
  });

test.each([
  ['config', ['config', 'gateway.auto_build', 'true', '--dry-run']],
  ['config --unset', ['config', 'gateway.auto_build', '--unset', '--dry-run']],
  ['skills', ['skills', '--disable', 'mine', '--dry-run']],
  ['test', ['test', 'mine', '--write', '--dry-run']],
  ['test --model', ['test', 'mine', '--model', 'm', '--output', 'answers.json', '--dry-run']],
  ['init', ['init', 'other', '--dry-run']],
  ['init of a project', ['init', '--global', '--dry-run']],
  ['uninstall --all', ['uninstall', '--all', '--dry-run']],
  ['clean --all', ['clean', '--all', '--dry-run']],
  ['build', ['build', '--all', '--dry-run']],
  ['stats', ['stats', '--all', '--prune', '--before', '2030-01-01', '--dry-run']],
  ['cache', ['cache', '--prune', '--max-bytes', '0', '--dry-run']],
  ['sync', ['sync', '--dry-run']],
  ['update', ['update', '--dry-run']],
  ['install', ['install', '--dry-run']],
])('%s --dry-run writes nothing', async (_, words) => {
  const w = world();
  await w.run(['install', join(w.home, 'source'), '--all', '--yes', '--target', 'claude']);
  await w.run(['show', 'alpha', '--section', 'Alpha'], { env: { SKC_NO_LOG: '' } });
  const files = () =>
    Object.fromEntries(
      Object.entries(w.list()).filter(([path]) => !/\.db(?:-shm|-wal)?$|\/\.install/.test(path)),
    );
  const before = files();
  const { status, stderr } = await w.run(words);
  expect([status, stderr]).toEqual([0, expect.anything()]);
  expect(files()).toEqual(before);
});

test('uninstall --all and clean --all leave what skc did not install', async () => {
  const w = world();
  await w.run(['install', join(w.home, 'source'), '--all', '--yes', '--target', 'claude']);
  await w.run(['build', 'mine', '--target', 'claude', '--scope', 'project']);
  expect((await w.run(['uninstall'])).stderr).toContain('name some, or pass --all');
  expect((await w.run(['uninstall', 'alpha', '--all'])).stderr).toContain('--all takes no skills');
  const gone = await w.run(['uninstall', '--all']);
  expect(gone.stdout.split('\n').filter((line) => line.endsWith(': uninstalled'))).toEqual([
    'alpha: uninstalled',
    'beta: uninstalled',
  ]);
  expect((await w.run(['uninstall', '--all'])).stdout).toBe('no skills installed\n');
  expect(w.read('.skillc/skills/mine/SKILL.md')).toContain('# Mine');
  expect((await w.run(['clean', '--all', 'mine'])).status).toBe(1);
  expect((await w.run(['clean'])).stderr).toContain('name one, or pass --all');
  const cleaned = await w.run(['clean', '--all']);
  expect(cleaned.stdout).toContain('removed <cwd>/.claude/skills/mine\n');
  expect((await w.run(['clean', '--all'])).stdout).toBe('nothing to clean\n');
  expect(w.read('.skillc/skills/mine/SKILL.md')).toContain('# Mine');
});
