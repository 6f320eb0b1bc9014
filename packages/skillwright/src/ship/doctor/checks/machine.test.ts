import { chmodSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { must } from '../../../../test/doctor-world.ts';
import { writeTree } from '../../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../../test/make-world.ts';
import type { Finding } from '../run-doctor.ts';

/** A skill of the project, deployed to its Claude Code directory. */
async function makeDeployed(words: readonly string[] = []): Promise<World> {
  const world = makeWorld({ '.skillc/skills/own/SKILL.md': skillText('own') });
  await must(world, ['build', 'own', '--target', 'claude', '--scope', 'project', ...words]);
  return world;
}

async function findingsOf(
  world: World,
  check: string,
  { env = {}, words = [] }: { env?: Record<string, string>; words?: string[] } = {},
): Promise<Finding[]> {
  const { stdout } = await world.run(['doctor', '--json', ...words], { env });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter((finding) => finding.check === check);
}

function addProgram(world: World, path: string, text = '#!/bin/sh\n'): string {
  writeTree(world.home, { [path]: text });
  chmodSync(join(world.home, path), 0o755);
  return join(world.home, path, '..');
}

const unreachable = (world: World, path: string) =>
  findingsOf(world, 'unreachable-skc', { env: { PATH: path } });

test('a stub needs skc on the PATH', async () => {
  const world = await makeDeployed();
  expect(await unreachable(world, '/nowhere')).toEqual([
    {
      check: 'unreachable-skc',
      group: 'this machine',
      severity: 'warning',
      subject: 'skc',
      message: 'skc is not on the PATH',
      why: "'own' is deployed as a stub, which tells agents to call skc. Their shells will not find it.",
      fix: 'npm install --global skillwright',
      fixable: false,
      fixed: false,
    },
  ]);
  expect(await unreachable(world, addProgram(world, 'tools/skc'))).toEqual([]);
});

test('the skc of npx or a package script does not count', async () => {
  const world = await makeDeployed();
  for (const place of ['.npm/_npx/0123/node_modules/.bin/skc', 'app/node_modules/.bin/skc']) {
    const [finding] = await unreachable(world, addProgram(world, place));
    expect(finding!.why).toContain('Only npx or a package script finds it: ');
  }
});

test('skc in a usual directory that is not on the PATH: the fix names the directory', async () => {
  const world = await makeDeployed();
  const directory = addProgram(world, '.local/bin/skc');
  const [finding] = await unreachable(world, '/nowhere');
  expect(finding!.fix).toBe(`export PATH=<home>/.local/bin:"$PATH"`);
  expect(await unreachable(world, `${directory}:/nowhere`)).toEqual([]);
});

test('a whole skill needs no skc', async () => {
  expect(await unreachable(await makeDeployed(['--whole']), '/nowhere')).toEqual([]);
});

test('the record forgets long-deleted directories, and nothing else', async () => {
  const world = await makeDeployed();
  const made = join(world.home, '.skillc/made');
  const entry = (path: string) => JSON.stringify({ version: 1, path, leads: '/nowhere' });
  const { createHash } = await import('node:crypto');
  const add = (path: string, at: Date) => {
    const name = `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`;
    writeTree(made, { [name]: entry(path) });
    utimesSync(join(made, name), at, at);
  };
  const before = readdirSync(made).length;
  for (const name of readdirSync(made)) utimesSync(join(made, name), new Date(0), new Date(0));
  add('/nowhere/project/.claude/skills/x', new Date('2025-01-01'));
  add('/nowhere/young/.claude/skills/x', new Date('2026-01-01'));
  writeTree(made, { 'odd.json': '{"path": "../x"}', 'broken.json': '{' });
  const told = await findingsOf(world, 'forgotten-record');
  expect(told.map(({ message, fixable }) => [message, fixable])).toEqual([
    ['one entry is about missing directories, such as /nowhere/project/.claude/skills/x', true],
  ]);
  const fixed = await findingsOf(world, 'forgotten-record', { words: ['--fix'] });
  expect(fixed.map((finding) => finding.fixed)).toEqual([true]);
  expect(readdirSync(made).length).toBe(before + 3);
});
