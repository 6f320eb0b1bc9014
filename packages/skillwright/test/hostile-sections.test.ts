// Skills that are hard to read: huge ones, headings that look like commands, missing sources.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from './make-world.ts';

const source = '.skillc/skills/demo';

async function makeBuilt(files: Record<string, string>): Promise<World> {
  const world = makeWorld(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${source}/${path}`, text])),
  );
  await world.run(['build', 'demo', '--target', 'none']);
  return world;
}

describe('a file of nothing but headings', () => {
  const files = { 'SKILL.md': skillText('demo'), 'many.md': '# h\n'.repeat(300_000) };
  const cut = "warning[W013]: only the first 50000 headings of 'many.md' are listed\n";
  const leftOut = "warning[W012]: the text of 'many.md' is not indexed: 1.1 MiB is over the limit of 1 MiB\n";

  test('is built, listed and shown up to a limit, and every result says so', async () => {
    const world = makeWorld(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${source}/${path}`, text])),
    );
    const parsed = await world.run(['outline', 'demo', '--limit', '1']);
    const built = await world.run(['build', 'demo', '--target', 'none']);
    const again = await world.run(['build', 'demo', '--target', 'none']);
    const indexed = await world.run(['outline', 'demo', '--limit', '1']);
    expect([parsed.stderr, built.stderr, again.stderr, indexed.stderr]).toEqual([
      cut,
      leftOut + cut,
      leftOut + cut,
      cut,
    ]);
    const shown = await world.run(['show', 'demo', '--section', 'h', '--json']);
    const { sections } = shown.json() as { sections: [{ candidates: unknown[] }] };
    expect([shown.status, sections[0].candidates.length]).toEqual([0, 50]);
    expect(shown.stderr).toContain('  ... (49950 more)\n');
    const last = await world.run(['show', 'demo', '--section', '#h-49999', '--json']);
    expect(last.json()).toMatchObject({ sections: [{ start_line: 50_000, end_line: 50_000 }] });
    const linted = await world.run(['lint', source]);
    expect(linted.stdout).toContain('SKL404');
  });
});

describe('headings that are commands', () => {
  const headings = [
    '$(touch pwned)',
    '`touch pwned`',
    "'; touch pwned; '",
    '"quoted" \\ and $HOME',
    '--fresh',
    '-n 1',
    '\u202e reversed',
    '* ? [a]',
  ];

  test.each(headings)('the command for %j leads to its section and nowhere else', async (heading) => {
    const written = heading.replace(/[`*\\[]/g, '\\$&');
    const world = await makeBuilt({
      'SKILL.md': skillText('demo'),
      'a.md': `# ${written}\n\nin a\n`,
      "b 'c'.md": `# ${written}\n\nin b\n\n# ${written}\n\nagain in b\n`,
    });
    const { stdout } = await world.run(['show', 'demo', `--section=${heading}`, '--json']);
    const [section] = (JSON.parse(stdout) as { sections: [{ candidates: { command: string }[] }] }).sections;
    const texts: string[] = [];
    for (const { command } of section.candidates) {
      const printed = spawnSync('sh', ['-c', command.replace(/^skc/, "printf '%s\\0'")], {
        cwd: world.project,
      });
      const words = printed.stdout.toString().split('\0').slice(0, -1);
      texts.push((await world.run(words)).stdout.split('\n').slice(2).join(' ').trim());
    }
    expect(texts).toEqual(['in a', 'in b', 'again in b']);
    expect(world.list(world.project)).not.toHaveProperty('pwned');
  });
});

describe('a source that is gone', () => {
  const commands = [
    ['outline', 'demo'],
    ['show', 'demo', '--section', 'Part'],
    ['show', 'demo', '--section', 'Part', '--fresh'],
    ['open', 'demo', 'SKILL.md'],
    ['sources', 'demo'],
    ['search', 'demo', 'text'],
    ['scripts', 'demo'],
    ['load', 'demo'],
  ];

  test.each(commands)('skc %s says so, by name and by the path of the stub', async (...words) => {
    const world = makeWorld({
      [`${source}/SKILL.md`]: skillText('demo', '# Part\n\ntext\n'),
      '~/.claude/.keep': '',
    });
    await world.run(['build', 'demo', '--target', 'claude', '--stub'].slice(0, 4));
    rmSync(join(world.project, source), { recursive: true });
    const [command, , ...rest] = words as [string, string, ...string[]];
    for (const word of ['demo', join(world.project, '.skillc/runtime/demo')]) {
      const { status, stdout, stderr } = await world.run([command, word, ...rest]);
      expect({ status, stdout, stderr: stderr.split('\n')[0] }).toEqual({
        status: 1,
        stdout: '',
        stderr: `error[E023]: source of '${word.replace(world.project, '<cwd>')}' not found: '<cwd>/${source}'`,
      });
    }
  });

  test('what is left can be cleaned', async () => {
    const world = await makeBuilt({ 'SKILL.md': skillText('demo') });
    rmSync(join(world.project, source), { recursive: true });
    expect((await world.run(['clean', 'demo'])).status).toBe(0);
    expect((await world.run(['outline', 'demo'])).stderr).toMatch(/^error\[E001\]/);
  });
});

describe('what may not be named is not suggested', () => {
  async function makeFenced(): Promise<World> {
    const world = makeWorld({
      '.skillc/skills/outer/SKILL.md': skillText('outer', '# Outer\n'),
      '.skillc/skills/outer/plain.md': '# Plain\n',
      '.skillc/skills/outer/templates/inner/SKILL.md': skillText('inner', '# Inner\n'),
      '.skillc/skills/outer/templates/inner/secret.md': '# Secret\n',
      '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "inner"\n',
    });
    await world.run(['build', 'outer', '--target', 'none']);
    return world;
  }

  test.each([
    ['open', 'outer', 'secret.md'],
    ['open', 'outer', 'templates/inner/secrets.md'],
    ['show', 'outer', '--section', 'Plain', '--file', 'secret.md'],
    ['show', 'outer', '--section', 'Secret'],
    ['show', 'outer', '--section', 'templates/inner/secret.md'],
    ['sources', 'outer', '--dir', 'templates/../templates/inner'],
    ['search', 'outer', '#'],
  ])('skc %s %s %s', async (...words) => {
    const { stdout, stderr } = await (await makeFenced()).run(words);
    const asked = words.join(' ');
    for (const text of [stdout, stderr])
      for (const [found] of text.matchAll(/templates\/inner\/\w+\.md|\bSecret\b/g))
        expect(asked).toContain(found);
  });

  test('E002 does not name it either', async () => {
    const world = await makeFenced();
    world.write({ '.skillc/skills/outer/templates/inner/secret.md': '# Secret, changed\n' });
    const { stderr } = await world.run(['show', 'outer', '--section', 'Plain']);
    expect(stderr).toBe(
      "error[E002]: search index unusable; run 'skc build outer' to rebuild\n  the index is out of date\nhelp: to rebuild and try again: skc show outer --section Plain --fresh\n",
    );
  });
});

test.each(['[a', '{a,b', '[', '\\'])('a pattern that is broken is refused: %j', async (pattern) => {
  const world = await makeBuilt({ 'SKILL.md': skillText('demo') });
  const { status, stderr } = await world.run(['sources', 'demo', `--pattern=${pattern}`]);
  expect({ status, code: stderr.slice(0, 11) }).toEqual({ status: 1, code: 'error[E100]' });
});

test('a path with `..` that stays inside is the file it leads to', async () => {
  const world = await makeBuilt({ 'SKILL.md': skillText('demo'), 'a/x.md': '# X\n', 'b/y.md': '# Y\n' });
  const outputs = await Promise.all(
    [
      ['open', 'demo', 'a/../b/y.md'],
      ['show', 'demo', '--section', 'Y', '--file', 'a/../b/y.md'],
      ['sources', 'demo', '--dir', 'a/../b'],
    ].map(async (words) => (await world.run(words)).stdout),
  );
  expect(outputs).toEqual(['# Y\n', '# Y\n', 'b/\n└── y.md\n']);
});

test('the result of a build names text left out of the index', async () => {
  const world = makeWorld({
    [`${source}/SKILL.md`]: skillText('demo'),
    [`${source}/large.txt`]: 'word '.repeat(250_000),
  });
  for (const status of ['created', 'unchanged']) {
    const { json } = await world.run(['build', 'demo', '--target', 'none', '--json']);
    expect(json()).toMatchObject({ built: [{ status, not_searched: ['large.txt'] }] });
  }
});
