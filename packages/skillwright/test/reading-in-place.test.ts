// Skills that skc neither manages nor built: an agent reads them where they lie, and nothing is written beside them.

import { execFileSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tree } from './make-directory.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { rowsIn, rowsInCache } from './rows-in.ts';

const logged = { env: { SKC_NO_LOG: '' } };
const pdf: Tree = {
  'SKILL.md': skillText('pdf', '# PDF\n\n## Forms\n\nFill a form with fill.py.\n'),
  'forms.md':
    '**CRITICAL: check for fields first.**\n\n# Fillable fields\n\nUse them.\n\n# Others\n\nDraw.\n',
};
const at = (place: string, files: Tree = pdf): Tree =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${place}/${path}`, text]));

/** A project that is a repository, and a skill where an agent keeps its own. */
function repository(place = '~/.claude/skills/pdf'): World {
  const world = makeWorld(at(place));
  rmSync(join(world.project, '.skillc'), { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: world.project });
  return world;
}

const untracked = ({ project }: World) =>
  execFileSync('git', ['status', '--short'], { cwd: project, encoding: 'utf8' });

const reads: [string, ...string[]][] = [
  ['search', 'fill a form'],
  ['show', '--section', 'Forms'],
  ['outline'],
  ['open', 'forms.md'],
  ['sources'],
];

describe('a skill in a directory of an agent', () => {
  test.each(reads)('%s needs no build', async (command, ...words) => {
    const world = repository();
    const before = world.list(join(world.home, '.claude'));
    const { status, stderr, stdout } = await world.run([command, 'pdf', ...words], logged);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/form|fields/i);
    expect(untracked(world)).toBe('');
    expect(world.list(join(world.home, '.claude'))).toEqual(before);
    expect(rowsInCache(world.home, 'pdf')).toMatchObject([{ command, error: null }]);
  });

  test('an edit is read at the next call', async () => {
    const world = repository();
    await world.run(['search', 'pdf', 'form']);
    world.write({ '~/.claude/skills/pdf/new.md': '# Rotate\n\nTurn pages.\n' });
    expect((await world.run(['show', 'pdf', '--section', 'Rotate'])).stdout).toBe(
      '# Rotate\n\nTurn pages.\n',
    );
  });

  test('statistics count what was read, before a build and after it', async () => {
    const world = repository();
    await world.run(['show', 'pdf', '--section', 'Forms'], logged);
    const total = async () =>
      ((await world.run(['stats', 'pdf', '--json'])).json() as { data: { total_accesses: number } }).data;
    expect(await total()).toMatchObject({ total_accesses: 1 });
    expect((await world.run(['stats', '--all'])).stdout).toContain('pdf');
    expect((await world.run(['build', 'pdf', '--target', 'none'])).status).toBe(0);
    expect(await total()).toMatchObject({ total_accesses: 1, unique_sections: 1 });
    expect(globSync(join(world.home, '.skillc/cache/reading/*/pdf'))).toEqual([]);
  });

  test('once built, a stale index is E002 again, and its help works', async () => {
    const world = repository();
    await world.run(['build', 'pdf', '--target', 'none']);
    world.write({ '~/.claude/skills/pdf/new.md': '# Rotate\n\nTurn pages.\n' });
    const { status, stderr } = await world.run(['show', 'pdf', '--section', 'Rotate']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('error[E002]')]);
    const help = stderr.split('again: skc ')[1]!.trim();
    expect((await world.run(help.split(' '))).stdout).toBe('# Rotate\n\nTurn pages.\n');
  });
});

test('a directory given as a path needs no build, and gets no file', async () => {
  const world = repository('docs/pdf');
  const before = world.list(world.project);
  for (const [command, ...words] of reads)
    expect((await world.run([command, './docs/pdf', ...words], logged)).status).toBe(0);
  expect(world.list(world.project)).toEqual(before);
});

test('nothing is written below the working directory where the cache cannot be', async () => {
  const world = repository();
  world.write({ '~/.skillc/cache/reading': 'a file' });
  const before = world.list(world.project);
  const { stderr } = await world.run(['sources', 'pdf'], logged);
  expect(stderr).toContain('warning[W002]');
  expect(world.list(world.project)).toEqual(before);
});

test('a skill in a store still needs a build', async () => {
  const world = makeWorld(at('.skillc/skills/pdf'));
  const { status, stderr } = await world.run(['show', 'pdf', '--section', 'Forms']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('there is no index yet')]);
});

test('what a build writes into a project is ignored by git, even if the repository comes later', async () => {
  const world = makeWorld(at('docs/pdf'));
  await world.run(['build', './docs/pdf', '--target', 'none'], logged);
  expect(rowsIn(join(world.project, '.skillc/runtime/pdf/.skillc/logs.db'))).toHaveLength(1);
  execFileSync('git', ['init', '-q'], { cwd: world.project });
  execFileSync('git', ['add', '.'], { cwd: world.project });
  expect(untracked(world).split('\n').filter(Boolean)).toEqual([
    'A  .skillc/.gitignore',
    'A  docs/pdf/SKILL.md',
    'A  docs/pdf/forms.md',
  ]);
});

describe('text before the first heading', () => {
  test('belongs to the first section', async () => {
    const world = repository();
    expect((await world.run(['show', 'pdf', '--section', 'Fillable fields'])).stdout).toBe(
      '**CRITICAL: check for fields first.**\n\n# Fillable fields\n\nUse them.\n\n',
    );
    expect((await world.run(['show', 'pdf', '--section', 'Others'])).stdout).toBe('# Others\n\nDraw.\n');
  });

  test('is in the outline', async () => {
    const world = repository();
    const { stdout } = await world.run(['outline', 'pdf', '--file', 'forms.md']);
    expect(stdout).toBe(
      'forms.md\n  (lines 1-2: text before the first heading)\n  # Fillable fields\n  # Others\n',
    );
    const { headings } = (await world.run(['outline', 'pdf', '--json'])).json() as {
      headings: { text: string; from_line?: number }[];
    };
    expect(headings.map(({ text, from_line }) => [text, from_line])).toEqual([
      ['PDF', undefined],
      ['Forms', undefined],
      ['Fillable fields', 1],
      ['Others', undefined],
    ]);
  });

  test('a stub says which file it belongs to', async () => {
    const world = makeWorld(at('.skillc/skills/pdf'));
    await world.run(['build', 'pdf', '--target', 'none']);
    expect(world.read('.skillc/runtime/pdf/SKILL.md')).toContain('  - Fillable fields — forms.md\n');
  });
});

describe('nothing vanishes', () => {
  const files = {
    ...pdf,
    'evals/cases.md': '# Cases\n\nOne.\n',
    'latin.md': Buffer.from('# Caf\u00e9\n\nCr\u00e8me br\u00fbl\u00e9e.\n', 'latin1'),
    'odd.md': Buffer.from('# Odd\0\n'),
  };

  test('text that is not UTF-8 is read as Latin-1', async () => {
    const world = makeWorld(at('~/.claude/skills/pdf', files));
    expect((await world.run(['show', 'pdf', '--section', 'caf\u00e9'])).stdout).toBe(
      '# Caf\u00e9\n\nCr\u00e8me br\u00fbl\u00e9e.\n',
    );
    expect((await world.run(['open', 'pdf', 'latin.md'])).stdout).toContain('Cr\u00e8me');
    expect((await world.run(['search', 'pdf', 'creme'])).stdout).toContain('latin.md');
  });

  test('the outline counts files it does not list, and sources lists evals with --all', async () => {
    const world = makeWorld(at('~/.claude/skills/pdf', files));
    const { stdout } = await world.run(['outline', 'pdf']);
    expect(stdout).toContain('... (not listed: 1 file with evals, such as evals/cases.md)\n');
    expect(stdout).toContain('... (not listed: 1 file that cannot be read, such as odd.md)\n');
    expect((await world.run(['sources', 'pdf'])).stdout).toContain('1 file with evals not listed; use --all');
    expect((await world.run(['sources', 'pdf', '--all'])).stdout).toContain('cases.md');
  });

  test('a build names the files that are not searched', async () => {
    const world = makeWorld(at('.skillc/skills/pdf', files));
    const run = async (...flags: string[]) => (await world.run(['build', 'pdf', ...flags])).stdout;
    expect(await run('--dry-run')).toContain('  not searched: evals/cases.md, odd.md\n');
    expect(await run()).toContain('  not searched: evals/cases.md, odd.md\n');
    expect(JSON.parse(await run('--json')).built[0].not_searched).toEqual(['evals/cases.md', 'odd.md']);
  });
});

test('a person who says how much to list gets it', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [
      `a-file-with-a-rather-long-name-${n}.md`,
      `# Heading number ${n}\n`,
    ]),
  );
  const world = makeWorld(at('~/.claude/skills/pdf', { ...pdf, ...many }));
  const lines = async (...words: string[]) => (await world.run(words)).stdout.split('\n');
  expect(
    (await lines('sources', 'pdf', '--limit', '250')).filter((line) => line.includes('.md')),
  ).toHaveLength(250);
  expect((await lines('outline', 'pdf', '--level', '1')).filter((line) => /^ +#/.test(line))).toHaveLength(
    303,
  );
  const cut = (await lines('sources', 'pdf', '--budget', '500')).join('\n');
  expect(cut).toContain('cut to save tokens');
  expect(cut).not.toContain('level');
});

test.each([['list', '--all'], ['skills']])('%s warns about a name that cannot be used', async (...words) => {
  const world = makeWorld({ '~/.claude/skills/odd/SKILL.md': skillText('Odd name!', '# Odd\n') });
  const { stdout, stderr } = await world.run(words);
  expect(stdout).toContain('odd');
  expect(stderr).toContain("warning[W006]: 'Odd name!' is not a valid skill name");
});
