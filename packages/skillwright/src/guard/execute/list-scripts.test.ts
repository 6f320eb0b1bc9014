import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { listScripts, openScript } from './list-scripts.ts';

const skill = () =>
  makeDirectory({
    'skill/SKILL.md': '---\nname: skill\n---\n',
    'skill/scripts/fill.py': '"""Fills a form."""\n',
    'skill/scripts/check.sh': '# Checks.\n',
    'skill/scripts/check.js': 'run()\n',
    'skill/scripts/lib/help.ts': '// Helps.\n',
    'skill/scripts/lib/__init__.py': '',
    'skill/scripts/data.json': '{}',
    'skill/scripts/.hidden.sh': 'echo',
    'skill/scripts/inside.py': { link: '../tools/real.py' },
    'skill/scripts/outside.py': { link: '../../secret.py' },
    'skill/scripts/loop.sh': { link: 'loop.sh' },
    'skill/scripts/folder.sh': { directory: true },
    'skill/tools/real.py': '# Real.\n',
    'secret.py': 'print()\n',
  });

test('lists runnable scripts', () => {
  const python = ['python3'];
  expect(listScripts(`${skill()}/skill`)).toEqual([
    { name: 'check.js', path: 'scripts/check.js', interpreters: ['node', 'bun'], summary: '' },
    { name: 'check.sh', path: 'scripts/check.sh', interpreters: ['bash', 'sh'], summary: 'Checks.' },
    { name: 'fill.py', path: 'scripts/fill.py', interpreters: python, summary: 'Fills a form.' },
    { name: 'inside.py', path: 'scripts/inside.py', interpreters: python, summary: 'Real.' },
    { name: 'lib/help.ts', path: 'scripts/lib/help.ts', interpreters: ['node', 'bun'], summary: 'Helps.' },
  ]);
  expect(listScripts(`${skill()}/skill/tools`)).toEqual([]);
});

const words: [string, string][] = [
  ['fill.py', 'scripts/fill.py'],
  ['scripts/fill.py', 'scripts/fill.py'],
  ['./scripts/fill.py', 'scripts/fill.py'],
  ['fill', 'scripts/fill.py'],
  ['lib/help', 'scripts/lib/help.ts'],
  ['check.js', 'scripts/check.js'],
];

test.for(words)('%s is found', ([word, path]) => {
  const dir = `${skill()}/skill`;
  expect(openScript(dir, word)).toMatchObject({ path, file: join(dir, path) });
});

test('a link inside the skill is followed', () => {
  const dir = `${skill()}/skill`;
  expect(openScript(dir, 'inside')).toEqual({
    name: 'inside.py',
    path: 'scripts/inside.py',
    file: `${dir}/tools/real.py`,
  });
});

const refused: [string, object][] = [
  ['outside.py', { code: 'E012' }],
  ['../secret.py', { code: 'E012' }],
  ['scripts/../../secret.py', { code: 'E012' }],
  ['/etc/passwd', { code: 'E012' }],
  ['C:\\x.sh', { code: 'E012' }],
  ['fill.py\0.sh', { code: 'E012' }],
  ['check', { code: 'E070', help: 'use one of: check.js, check.sh' }],
  ['fil.py', { code: 'E070', help: 'did you mean fill.py?' }],
  ['data.json', { code: 'E070', help: 'only .sh, .py, .js and .ts files are scripts' }],
  ['', { code: 'E070' }],
  ['scripts', { code: 'E070' }],
  ['loop.sh', { code: 'E015' }],
  ['folder.sh', { code: 'E015' }],
  ['../skill', { code: 'E012' }],
];

test.for(refused)('%j is refused', ([word, error]) => {
  const dir = `${skill()}/skill`;
  let thrown: unknown;
  try {
    openScript(dir, word);
  } catch (caught) {
    thrown = caught;
  }
  expect(thrown).toMatchObject(error);
});
