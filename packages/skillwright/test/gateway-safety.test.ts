// Nothing outside a skill is ever read through it, and nothing outside the places of skc is ever written.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SkillwrightError } from '../src/base/diagnostics/skillwright-error.ts';
import { listSources } from '../src/read/gateway/list-sources.ts';
import { openFile } from '../src/read/gateway/open-file.ts';
import { makeDirectory } from './make-directory.ts';
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
      // Where it ends is inside, so it is no escape.
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
    // A link to nothing outside cannot be told from nothing at all by its content, and gives none.
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
  ['inside/..', 'E012'],
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

describe('a link swapped in after the check', () => {
  /** Swaps `place` between a real directory and a link to the outside, as fast as it can, in another process. */
  function keepSwapping(root: string): void {
    const script = `
      const { renameSync } = require('node:fs');
      process.chdir(${JSON.stringify(root)});
      for (;;) {
        renameSync('skill/place', 'real'); renameSync('link', 'skill/place');
        renameSync('skill/place', 'link'); renameSync('real', 'skill/place');
      }`;
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
  }

  function makeTrap(): string {
    const root = makeDirectory({
      'skill/SKILL.md': skillText('skill'),
      'skill/place/file.txt': 'inside',
      'outside/file.txt': 'OUTSIDE',
      'outside/secret-name.txt': 'OUTSIDE',
    });
    symlinkSync(join(root, 'outside'), join(root, 'link'));
    return root;
  }

  test('open never gives what is outside', () => {
    const root = makeTrap();
    keepSwapping(root);
    const seen = new Set<string>();
    for (let round = 0; round < 4000; round++) {
      try {
        seen.add(
          openFile(join(root, 'skill'), { path: 'place/file.txt', maxLines: undefined, lines: undefined })
            .content,
        );
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        seen.add(error.code);
      }
    }
    expect(seen).not.toContain('OUTSIDE');
    expect([...seen].filter((what) => !['inside', 'E012', 'E021', 'E015'].includes(what))).toEqual([]);
  });

  test('sources never names what is outside', () => {
    const root = makeTrap();
    keepSwapping(root);
    const seen = new Set<string>();
    for (let round = 0; round < 2000; round++) {
      try {
        const { entries } = listSources(join(root, 'skill'), {
          dir: round % 2 === 0 ? 'place' : undefined,
          depth: undefined,
          limit: 100,
          pattern: undefined,
        });
        for (const { path } of entries) seen.add(path);
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        seen.add(error.code);
      }
    }
    expect(seen).not.toContain('place/secret-name.txt');
  });
});

test('a pipe, a socket and a device in a skill are not waited for', async () => {
  const world = makeSkill();
  execFileSync('mkfifo', [join(world.project, source, 'pipe.md')]);
  expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
  expect((await world.run(['sources', 'demo'])).stdout).not.toContain('pipe');
  expect((await world.run(['open', 'demo', 'pipe.md'])).stderr).toMatch(/^error\[E015\]/);
});

const badNames: [name: string, code: string][] = [
  ['../../x', 'E012'],
  ['..', 'E012'],
  ['.', 'E012'],
  ['/abs', 'E012'],
  ['a/b', 'E012'],
  ['a\\b', 'E012'],
  ['.hidden', 'E014'],
  ['CON', 'E014'],
  ['nul.txt', 'E014'],
  ['com1', 'E014'],
  ['two\nlines', 'E014'],
  ['nul\0byte', 'E014'],
  ['ends.', 'E014'],
  ['-rf', 'E014'],
  ['$(touch x)', 'E014'],
  ['a;b', 'E014'],
  ['x'.repeat(300), 'E014'],
  ['~', 'E014'],
];

describe('a name that is no name of a directory', () => {
  test.each(badNames)('%j writes nothing anywhere', async (name, code) => {
    const text = `---\nname: ${JSON.stringify(name)}\ndescription: d\n---\n# X\n`;
    const world = makeWorld({
      'skills/x/SKILL.md': text,
      [`${source}/SKILL.md`]: text,
      x: { directory: true },
    });
    mkdirSync(join(world.root, 'x'));
    const before = world.list();
    for (const words of [
      ['build', './skills/x'],
      ['build', './skills/x', '--force', '--copy'],
      ['build', './skills/x', '--import', '--force'],
      ['build', './skills/x', '--global', '--scope', 'project'],
      ['build', 'demo', '--target', './here/'],
      ['build', '--all'],
      ['build', '--all', 'skills'],
    ]) {
      const { status, stderr } = await world.run(words);
      expect({ words, status, code: /error\[(\w+)\]/.exec(stderr)?.[1] }).toEqual({ words, status: 1, code });
      expect(world.list()).toEqual(before);
    }
    const shown = await world.run(['show', './skills/x', '--section', 'X', '--fresh']);
    expect({ status: shown.status, code: /error\[(\w+)\]/.exec(shown.stderr)?.[1] }).toEqual({
      status: 1,
      code,
    });
    expect(world.list()).toEqual(before);
  });
});
