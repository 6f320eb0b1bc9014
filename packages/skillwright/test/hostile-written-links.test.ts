// Every command that declares what it writes, in a project whose places are links to a directory outside.

import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliNames, cliTable } from '../src/front/cli/cli-table.ts';
import { makeWorld, skillText, type World } from './make-world.ts';

/** Places of a project, and where each link leads; relative to the link. */
const places = [
  '.skillc',
  '.skillc/skills',
  '.skillc/runtime',
  '.skillc/skills/mine',
  '.skillc/runtime/mine',
  '.skillc/.install',
  '.skillc/backups',
  '.skillc/logs',
  '.skillc/lock.json',
  '.skillc/state.json',
  '.skillc/config.toml',
  '.skillc/.gitignore',
  '.claude',
  '.claude/skills',
] as const;

type Written =
  | 'stores'
  | 'runtime directories'
  | 'agent directories'
  | 'configuration'
  | 'state'
  | 'access logs';
const inProject: readonly string[] = [
  'stores',
  'runtime directories',
  'agent directories',
  'configuration',
  'state',
  'access logs',
] satisfies Written[];

/** Lines for each command that writes into a project, or the reason why there are none. */
const lines: Readonly<Record<string, readonly string[][] | string>> = {
  init: [['init'], ['init', 'fresh']],
  build: [
    ['build', 'mine', '--scope', 'project'],
    ['build', '--all', '--scope', 'project', '--force'],
    ['build', '~/source/alpha', '--import', '--scope', 'project'],
  ],
  clean: [
    ['clean', 'mine'],
    ['clean', '--all'],
  ],
  config: [['config', 'lint.profile', 'strict', '--scope', 'project']],
  doctor: [['doctor', '--fix', '--yes']],
  install: [
    ['install', '~/source/alpha', '--yes'],
    ['install', '--yes'],
    ['install', '~/source/alpha', '--yes', '--force', '--copy'],
  ],
  update: [['update', '--all', '--yes']],
  uninstall: [['uninstall', 'mine', '--yes']],
  search: [['search', 'mine', 'text', '--fresh']],
  show: [['show', 'mine', '--section', 'Mine', '--fresh']],
  outline: [['outline', 'mine']],
  skills: [['skills', '--disable', 'mine', '--scope', 'project']],
  sync: [['sync']],
  quiz: [['quiz', 'mine']],
  studio: 'carries out the commands above',
  cache: 'writes into the home directory',
  login: 'writes into the home directory',
};

test('every command that writes into a project has a line, or a reason', async () => {
  const writing: string[] = [];
  for (const name of cliNames) {
    const { writes } = await cliTable[name].load();
    if (writes.some((place) => inProject.includes(place))) writing.push(name);
  }
  expect(writing.filter((name) => lines[name] === undefined)).toEqual([]);
});

const isInside = (place: string, path: string) => path === place || path.startsWith(`${place}/`);

/** A project whose place is a link to a copy outside of what was there, or to an empty directory. */
function makeLinked(place: string): World {
  const files = {
    '.skillc/skills/mine/SKILL.md': skillText('mine', '# Mine\n\nSome text.\n'),
    '.skillc/config.toml': '',
    '.git/HEAD': 'ref: refs/heads/main\n',
  };
  const isFile = /\.\w+$/.test(place.slice(1)) && !place.endsWith('skillc');
  const moved = Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => isInside(place, path))
      .map(([path, text]) => [`../outside${path.slice(place.length)}`, text]),
  );
  const world = makeWorld({
    ...Object.fromEntries(Object.entries(files).filter(([path]) => !isInside(place, path))),
    ...(isFile ? { '../outside': '' } : { '../outside/keep.txt': 'keep\n', ...moved }),
    '~/source/alpha/SKILL.md': skillText('alpha', '# Alpha\n'),
  });
  rmSync(join(world.project, place), { recursive: true, force: true });
  world.write({ [`${place}/../x`]: '' });
  rmSync(join(world.project, place, '../x'), { force: true });
  symlinkSync(join(world.root, 'outside'), join(world.project, place));
  return world;
}

describe.each(places)('%s is a link out of the project', (place) => {
  test.each(Object.entries(lines).filter(([, row]) => typeof row !== 'string'))('%s', async (_, row) => {
    const world = makeLinked(place);
    const outside = () =>
      Object.fromEntries(Object.entries(world.list()).filter(([path]) => isInside('outside', path)));
    const before = outside();
    for (const words of row as string[][]) {
      const { stderr } = await world.run(words.map((word) => word.replace(/^~/, world.home)));
      expect(stderr).not.toContain('E999');
      expect({ words, after: outside() }).toEqual({ words, after: before });
    }
  });
});
