import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consult, makeInstalledWorld, remove } from '../../../test/doctor-world.ts';
import { writeTree } from '../../../test/make-directory.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { placeOf } from '../install/place/install-place.ts';
import { withPlaceLocked } from '../install/transaction/journal.ts';
import { checks } from './checks/index.ts';

test("what is not skc's own is there after every repair", async () => {
  const world = await makeInstalledWorld();
  remove(world, '.claude/skills/pdf');
  world.write({
    '.claude/skills/pdf/notes.txt': 'mine',
    '.claude/skills/.pdf.backup': 'mine',
    '.claude/skills/dangling': { link: '../nowhere' },
    '.agents/skills/hand/SKILL.md': skillText('hand'),
    '.skillc/skills/.pdf.bak-1/SKILL.md': 'mine',
    '.skillc/notes.txt': 'mine',
  });
  const before = world.list(world.project);
  await consult(world, ['--fix']);
  expect(world.list(world.project)).toEqual(before);
});

test('a refused repair is reported, and the others run', async () => {
  const world = await makeInstalledWorld();
  remove(world, '.skillc/skills/pdf');
  remove(world, '.claude/skills/docx');
  world.write({ '.skillc/config.toml': '[search]\ntokenizer = 7\n' });
  const { status, stderr, stdout } = await world.run(['doctor', '--fix']);
  expect(status).toBe(1);
  expect(stderr.match(/error\[E110\]/g)).toEqual(['error[E110]']);
  expect(stdout).toContain('3 errors');
});

test("only the user's scope, and only the project's", async () => {
  const world = await makeInstalledWorld();
  remove(world, '.claude/skills/docx');
  world.write({ '~/.claude/skills/dangling': { link: '../nowhere' } });
  expect(await consult(world, ['--scope', 'user'])).toEqual([
    ['broken-link', 'warning', '~/.claude/skills/dangling', 'the link is broken: ~/.claude/nowhere is gone'],
  ]);
  expect(await consult(world, ['--scope', 'project'])).toEqual([
    ['deployment', 'error', './.claude/skills/docx', "'docx' is missing for claude", 'fixable'],
  ]);
});

test('unusable directories are reported and do not stop the doctor', async () => {
  const world = makeWorld({
    '.gemini/skills': 'a file',
    '.cursor/skills': { link: 'skills' },
    '.goose': 'a file',
    '.claude/skills/lower/skill.md': 'x',
    '.claude/skills/back': { link: '.' },
    '.claude/skills/dir/SKILL.md/x': '',
    '.claude/skills/bom/SKILL.md': `\ufeff${skillText('bom').replaceAll('\n', '\r\n')}`,
    '.claude/skills/huge/SKILL.md': Buffer.alloc(17 * 1024 * 1024),
  });
  const fifo = join(world.project, '.claude/skills/fifo');
  mkdirSync(fifo);
  spawnSync('mkfifo', [join(fifo, 'SKILL.md')]);
  expect(await consult(world)).toEqual([
    [
      'unreadable-place',
      'warning',
      './.claude/skills/lower',
      "not a valid skill: './.claude/skills/lower' (missing SKILL.md); rename 'skill.md' to SKILL.md",
    ],
    [
      'unreadable-place',
      'warning',
      './.cursor/skills',
      "cannot read './.cursor/skills': too many symbolic links",
    ],
    [
      'unreadable-place',
      'warning',
      './.gemini/skills',
      "cannot read './.gemini/skills': a part of the path is not a directory",
    ],
    ...['dir', 'fifo', 'huge'].map((name) => [
      'unseen-skill',
      'warning',
      `./.claude/skills/${name}`,
      `not seen by Claude Code and Cursor: '${name}'`,
    ]),
  ]);
});

test('nothing is repaired outside a project whose directories lead out of it', async () => {
  const world = await makeInstalledWorld();
  const outside = join(world.root, 'outside');
  const temporary = '.pdf.123-abcdef01.tmp';
  writeTree(outside, { [temporary]: 'mine', 'secret/SKILL.md': skillText('secret') });
  utimesSync(join(outside, temporary), new Date(0), new Date(0));
  const manifest = JSON.parse(world.read('.skillc/runtime/pdf/.skillc/manifest.json'));
  world.write({
    '.gemini/skills': { link: outside },
    '.skillc/runtime/secret/.skillc/manifest.json': JSON.stringify({
      ...manifest,
      skill: 'secret',
      source_path: '~/../outside/secret',
    }),
  });
  remove(world, '.skillc/runtime/docx');
  renameSync(join(world.project, '.skillc/runtime'), join(outside, 'runtime'));
  world.write({ '.skillc/runtime': { link: join(outside, 'runtime') } });
  const before = world.list(outside);
  const { stderr } = await world.run(['doctor', '--fix']);
  expect(stderr).toBe("error[E016]: cannot write '<cwd>/.skillc/runtime': it leads out of the project\n");
  expect(world.list(outside)).toEqual(before);
});

test('an unreadable store', async () => {
  const world = await makeInstalledWorld();
  remove(world, '.skillc/skills');
  world.write({ '.skillc/skills': { link: 'skills' } });
  const told = [
    ['unreadable-place', 'error', './.skillc', "cannot read './.skillc/skills': too many symbolic links"],
  ];
  expect(await consult(world)).toEqual(told);
  expect(await consult(world, ['--fix'])).toEqual(told);
});

test('a store that another process is changing is neither checked nor repaired', async () => {
  const world = await makeInstalledWorld();
  remove(world, '.claude/skills/pdf');
  world.write({ '.skillc/.install/journal.json': '{}' });
  const { signal } = new AbortController();
  const place = placeOf('project', { workspace: workspaceAt({ cwd: world.project, home: world.home }) });
  const told = await withPlaceLocked(place, { signal }, async () => [
    await consult(world),
    await consult(world, ['--fix']),
  ]);
  const busy = ['interrupted', 'info', './.skillc', 'another skc is changing the installed skills here'];
  expect(told).toEqual([[busy], [busy]]);
});

test('a foreign journal stays, and is reported', async () => {
  const world = await makeInstalledWorld();
  world.write({ '.skillc/.install/journal.json': '{"version": 7}' });
  expect(await consult(world, ['--fix'])).toEqual([
    [
      'interrupted',
      'error',
      './.skillc/.install',
      "cannot read './.skillc/.install/journal.json': not a transaction journal",
    ],
  ]);
  expect(world.read('.skillc/.install/journal.json')).toBe('{"version": 7}');
});

test('a directory of skills that links to another is checked once', async () => {
  const world = await makeInstalledWorld();
  remove(world, '.claude/skills');
  symlinkSync('../.agents/skills', join(world.project, '.claude/skills'));
  writeFileSync(join(world.project, '.agents/skills/note.txt'), '');
  expect(await consult(world)).toEqual([]);
});

test('every check has a unique id and a summary', () => {
  expect(checks.map(({ id }) => id)).toEqual([...new Set(checks.map(({ id }) => id))]);
  for (const { summary } of checks) expect(summary).toMatch(/^[A-Zg].*\.$/);
});
