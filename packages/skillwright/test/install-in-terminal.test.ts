// skc install on a terminal: asks once, then offers a searchable list of skills.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, skillText } from './make-world.ts';
import { skcCommand } from './skc-program.ts';
import { openSession } from './terminal-session.ts';

const collection = {
  '~/collection/skills/alpha/SKILL.md': skillText('alpha', '# Alpha\n'),
  '~/collection/skills/beta/SKILL.md': skillText('beta', '# Beta\n', 'Fills \u001b[2J forms.'),
  '~/collection/skills/gamma/SKILL.md': skillText('gamma', '# Gamma\n'),
};

test('asks for skills, shows the findings, then asks for agents, scope and method, which it remembers', async (context) => {
  const world = makeWorld(collection);
  mkdirSync(join(world.home, '.claude'));
  const terminal = openSession(context, {
    cwd: world.project,
    env: { SKC_HOME: world.home, SKC_NO_LOG: '1', SKC_BUILD_DEPLOY: 'stub' },
    columns: 100,
    rows: 30,
  });
  const run = (line: string) => {
    terminal.type(`clear; ${skcCommand} ${line}; echo "status=$?"`);
    terminal.press('Enter');
  };
  run(`install ${join(world.home, 'collection')}`);
  const list = await terminal.shows(/> \[ \] alpha[\s\S]*scan: clean/);
  expect(list).toContain('has 3 skills. Which do you want to install?');
  expect(list).toMatch(/\d+ tokens in total/);
  terminal.type('forms');
  expect(await terminal.shows(/> \[ \] beta/)).toContain('Fills \\u001b[2J forms.');
  terminal.press('C-t');
  await terminal.shows('1 chosen; press Enter to continue');
  terminal.press('C-u', 'Down', 'Down', 'Space');
  await terminal.shows(/\[x\] beta[\s\S]*> \[x\] gamma/);
  terminal.press('Enter');
  // The findings come before the agents.
  expect(await terminal.shows('Enter keeps *)')).toMatch(/scan: clean[\s\S]*1\* claude/);
  terminal.press('Enter');
  await terminal.shows(/Install for whom\?[\s\S]*Enter keeps \*\)/);
  terminal.press('Enter');
  await terminal.shows(/How should agents get the skills\?[\s\S]*Enter keeps \*\)/);
  terminal.press('Enter');
  await terminal.shows('Install 2 skills? [y/N]');
  terminal.type('y');
  terminal.press('Enter');
  await terminal.shows(/status=0/);
  expect(Object.keys(JSON.parse(world.read('.skillc/lock.json')).skills)).toEqual(['beta', 'gamma']);
  expect(world.list(world.project)['.claude/skills/beta']).toBe('-> ../../.skillc/runtime/beta');
  expect(JSON.parse(world.read('~/.skillc/state.json')).install).toEqual({
    agents: ['claude'],
    scope: 'project',
    method: 'link',
  });

  run(`install ${join(world.home, 'collection')}`);
  await terminal.shows(/> \[ \] alpha/);
  terminal.press('Escape');
  expect(await terminal.shows(/status=1/)).toContain('no skill was chosen');
  run(`install ${join(world.home, 'collection')} --skill alpha`);
  expect(await terminal.shows('Install alpha? [y/N]')).toContain(
    'for claude, for the project, linked, as you chose before; use --ask to choose again',
  );
  terminal.press('Enter');
  await terminal.shows(/status=0/);
});

test('without a terminal flags decide, and errors name them', async () => {
  const w = makeWorld(collection);
  mkdirSync(join(w.home, '.claude'));
  const many = await w.run(['install', join(w.home, 'collection'), '--yes']);
  expect([many.status, many.stderr]).toEqual([
    1,
    expect.stringContaining('or install all with skc install <home>/collection --yes --all'),
  ]);
  const unasked = await w.run(['install', join(w.home, 'collection'), '--skill', 'alpha']);
  expect([unasked.status, unasked.stderr]).toEqual([1, expect.stringContaining('pass --yes')]);
});
