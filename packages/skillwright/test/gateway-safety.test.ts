// A skill never exposes files outside it, and skc never writes outside its own directories.

import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from './make-world.ts';

const source = '.skillc/skills/demo';

function makeSkill(): World {
  return makeWorld({
    [`${source}/SKILL.md`]: skillText('demo'),
    [`${source}/inside/a.md`]: '# A\n',
    '.skillc/skills/other/SKILL.md': skillText('other'),
    '../outside/secret.md': '# Secret\n\ntop secret\n',
  });
}

/** Links at `link` in the skill; each leads out, or nowhere. */
const links: { what: string; make: (skill: string) => void; link: string }[] = [
  {
    what: 'a file outside',
    link: 'x.md',
    make: (skill) => symlinkSync('../../../../outside/secret.md', join(skill, 'x.md')),
  },
  {
    what: 'a file outside, absolute',
    link: 'x.md',
    make: (skill) => symlinkSync('/etc/passwd', join(skill, 'x.md')),
  },
  {
    what: 'a directory outside',
    link: 'x',
    make: (skill) => symlinkSync('../../../../outside', join(skill, 'x')),
  },
  {
    what: 'the directory above',
    link: 'inside/x',
    make: (skill) => symlinkSync('../..', join(skill, 'inside/x')),
  },
  {
    what: 'a chain that ends outside',
    link: 'x.md',
    make(skill) {
      symlinkSync('inside/y.md', join(skill, 'x.md'));
      symlinkSync('../z.md', join(skill, 'inside/y.md'));
      symlinkSync('../../../../outside/secret.md', join(skill, 'z.md'));
    },
  },
  { what: 'itself', link: 'x.md', make: (skill) => symlinkSync('x.md', join(skill, 'x.md')) },
  {
    what: 'a circle',
    link: 'x.md',
    make(skill) {
      symlinkSync('y.md', join(skill, 'x.md'));
      symlinkSync('x.md', join(skill, 'y.md'));
    },
  },
  {
    what: 'nothing, outside',
    link: 'x.md',
    make: (skill) => symlinkSync('../../../../outside/none.md', join(skill, 'x.md')),
  },
  {
    what: 'nothing, outside, absolute',
    link: 'x.md',
    make: (skill) => symlinkSync('/nonexistent/x', join(skill, 'x.md')),
  },
  {
    what: 'out and back in',
    link: 'x.md',
    make: (skill) => symlinkSync('../../../../outside/back/a.md', join(skill, 'x.md')),
  },
];

describe.each(links)('a link to $what', ({ what, make, link }) => {
  const build = async (world: World, ...flags: string[]) => {
    const before = world.list();
    const { status, stderr } = await world.run(['build', 'demo', ...flags]);
    return { status, code: /^error\[(\w+)\]/.exec(stderr)?.[1], same: sameListing(before, world.list()) };
  };

  test('stops the build before anything is written', async () => {
    const world = makeSkill();
    make(join(world.project, source));
    if (what === 'out and back in') {
      symlinkSync(join(world.project, source, 'inside'), join(world.root, 'outside/back'));
      // It ends inside the skill, so it does not escape.
      expect((await world.run(['build', 'demo'])).status).toBe(0);
      return;
    }
    expect(await build(world)).toEqual({ status: 1, code: 'E012', same: true });
    expect(await build(world, '--force', '--import')).toEqual({ status: 1, code: 'E012', same: true });
  });

  test('opens nothing', async () => {
    const world = makeSkill();
    make(join(world.project, source));
    const path = link === 'x' ? 'x/secret.md' : link === 'inside/x' ? 'inside/x/other/SKILL.md' : link;
    if (what === 'out and back in') return;
    const { status, stdout, stderr } = await world.run(['open', 'demo', path]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    // A broken link to the outside looks like a missing file.
    expect(stderr).toMatch(/^error\[E0(12|15|21)\]/);
    if (!/nothing|itself|circle/.test(what)) expect(stderr).toMatch(/^error\[E012\]/);
  });

  test('is not listed and not outlined', async () => {
    const world = makeSkill();
    make(join(world.project, source));
    const { stdout: tree } = await world.run(['sources', 'demo']);
    const { stdout: headings } = await world.run(['outline', 'demo']);
    expect(tree + headings).not.toMatch(/secret/i);
  });
});

function sameListing(a: Record<string, string>, b: Record<string, string>): boolean {
  expect(b).toEqual(a);
  return true;
}

const tricks: [path: string, code: string][] = [
  ['..', 'E012'],
  ['../demo/SKILL.md', 'E012'],
  ['inside/../../demo/SKILL.md', 'E012'],
  ['./../x', 'E012'],
  ['inside/../..', 'E012'],
  ['/etc/passwd', 'E012'],
  ['//etc/passwd', 'E012'],
  ['\\etc\\passwd', 'E012'],
  ['..\\..\\x', 'E012'],
  ['inside\\..\\..\\x', 'E012'],
  ['C:\\Windows\\win.ini', 'E012'],
  ['c:x', 'E012'],
  ['SKILL.md\0.txt', 'E012'],
  ['\0', 'E012'],
  ['%2e%2e/outside/secret.md', 'none'],
  ['..%2foutside', 'none'],
  ['%2fetc%2fpasswd', 'none'],
  ['．．/outside', 'none'],
  ['~/secret', 'none'],
  ['file:///etc/passwd', 'none'],
  ['', 'none'],
  [' ', 'none'],
  [`${'x'.repeat(300)}/`.repeat(2), 'any'],
];

describe('paths that try to leave the skill', () => {
  test.each(tricks)('%j is refused by open, show --file and sources --dir', async (path, code) => {
    const world = makeSkill();
    await world.run(['build', 'demo', '--target', 'none']);
    const before = world.list();
    for (const [words, missing] of [
      [['open', 'demo', path], 'E021'],
      [['show', 'demo', '--section', 'demo', `--file=${path}`], 'E021'],
      [['sources', 'demo', `--dir=${path}`], 'E022'],
    ] as const) {
      // An empty directory is the skill itself.
      if (path === '' && missing === 'E022') continue;
      const { status, stdout, stderr } = await world.run(words);
      expect({ words, status, stdout }).toEqual({ words, status: 1, stdout: '' });
      if (code !== 'any')
        expect(stderr).toMatch(new RegExp(`^error\\[${code === 'none' ? missing : code}\\]`));
      expect(stderr).toMatch(/^error\[E0(12|15|21|22)\]/);
    }
    expect(world.list()).toEqual(before);
  });
});

test('a pipe, a socket and a device in a skill are not waited for', async () => {
  const world = makeSkill();
  execFileSync('mkfifo', [join(world.project, source, 'pipe.md')]);
  expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
  expect((await world.run(['sources', 'demo'])).stdout).not.toContain('pipe');
  expect((await world.run(['open', 'demo', 'pipe.md'])).stderr).toMatch(/^error\[E015\]/);
});

const badNames = [
  '../../x',
  '..',
  '.',
  '/abs',
  'a/b',
  'a\\b',
  '.hidden',
  'CON',
  'nul.txt',
  'com1',
  'two\nlines',
  'nul\0byte',
  'ends.',
  '-rf',
  '$(touch x)',
  'a;b',
  'x'.repeat(300),
  '~',
];

describe('a name that cannot name a directory', () => {
  test.each(badNames)('%j gives way to the name of the directory, and writes nothing else', async (name) => {
    const text = `---\nname: ${JSON.stringify(name)}\ndescription: d\n---\n# X\n`;
    const world = makeWorld({ 'skills/x/SKILL.md': text, [`${source}/SKILL.md`]: text });
    const before = new Set(Object.keys(world.list()));
    for (const words of [
      ['build', './skills/x'],
      ['build', './skills/x', '--force', '--copy'],
      ['build', './skills/x', '--global', '--scope', 'project'],
      ['build', 'demo', '--target', './here/'],
      ['build', '--all'],
      ['show', './skills/x', '--section', 'X', '--fresh'],
    ]) {
      const { status, stderr } = await world.run(words);
      expect({ words, status }).toEqual({ words, status: 0 });
      if (words[0] === 'build') expect(stderr).toContain('warning[W006]');
    }
    const made = Object.keys(world.list()).filter((path) => !before.has(path));
    const parts = new Set(made.flatMap((path) => path.split('/')));
    const known =
      /^(?:project|home|here|x|demo|runtime|skills|SKILL\.md|\.skillc|\.claude|manifest\.json|\.gitignore|search-[0-9a-f]{16}\.db|made|[0-9a-f]{32}\.json)$/;
    expect([...parts].filter((part) => !known.test(part))).toEqual([]);
  });
});
