import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skillWithText } from '../../skill/skill/open-skill.ts';
import { type LintSubject, lintSubject } from './lint-subject.ts';

let parent: string;
let dir: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'skc-links-'));
  dir = join(parent, 'demo');
});
afterEach(() => rmSync(parent, { recursive: true }));

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

function skill(body: string): LintSubject {
  const text = `---\nname: demo\n---\n${body}`;
  write('SKILL.md', text);
  return lintSubject(skillWithText(dir, text), { profile: 'spec' });
}

test('links are followed from file to file, even in a circle', () => {
  write('references/a.md', '---\nx: 1\n---\n[b](b.md) [up](../SKILL.md)');
  write('references/b.md', '[a](a.md#x)\n\n[root](references/a.md)');
  expect(skill('[a](references/a.md)').links()).toEqual([
    link('SKILL.md', 4, 'references/a.md', 'references/a.md'),
    link('references/a.md', 4, 'b.md', 'references/b.md'),
    link('references/a.md', 4, '../SKILL.md', 'SKILL.md'),
    link('references/b.md', 1, 'a.md#x', 'references/a.md', 'x'),
    link('references/b.md', 3, 'references/a.md', 'references/a.md'),
  ]);
});

test('links are resolved once', () => {
  const linted = skill('[a](a.md)');
  expect(linted.links()).toBe(linted.links());
});

test('files to be copied elsewhere are not read for links', () => {
  write('assets/page.md', '[gone](gone.md)');
  write('templates/page.md', '[gone](gone.md)');
  expect(
    skill('[a](assets/page.md) [t](templates/page.md)')
      .links()
      .map(({ file }) => file),
  ).toEqual(['SKILL.md', 'SKILL.md']);
});

test('symbolic links count as their targets', () => {
  writeFileSync(join(parent, 'outside.md'), '[x](x.md)');
  write('real.md');
  symlinkSync('../outside.md', join(dir, 'out.md'));
  symlinkSync(parent, join(dir, 'up'));
  symlinkSync('real.md', join(dir, 'in.md'));
  symlinkSync('nowhere.md', join(dir, 'broken.md'));
  symlinkSync('circle.md', join(dir, 'circle.md'));
  const body = '[1](out.md) [2](up/outside.md) [3](in.md) [4](broken.md) [5](circle.md)';
  expect(
    skill(body)
      .links()
      .map(({ place }) => place),
  ).toEqual([
    { kind: 'outside', by: 'symlink' },
    { kind: 'outside', by: 'symlink' },
    { kind: 'inside', path: 'in.md' },
    { kind: 'missing', path: 'broken.md', certainty: 'certain' },
    { kind: 'missing', path: 'circle.md', certainty: 'certain' },
  ]);
});

test('a skill reached through a symbolic link contains its own files', () => {
  write('a.md');
  const { text } = skill('[a](a.md)');
  symlinkSync(dir, join(parent, 'alias'));
  const linked = lintSubject(skillWithText(join(parent, 'alias'), text), { profile: 'spec' });
  expect(linked.links()).toEqual([link('SKILL.md', 4, 'a.md', 'a.md')]);
});

test('invalid paths are broken links', () => {
  const long = `${'long'.repeat(1500)}.md`;
  expect(
    skill(`[a](a%00.md) [b](${long})`)
      .links()
      .map(({ place }) => place),
  ).toEqual([
    { kind: 'missing', path: 'a\0.md', certainty: 'certain' },
    { kind: 'missing', path: long, certainty: 'certain' },
  ]);
});

function link(file: string, line: number, target: string, path: string, fragment?: string) {
  return { file, line, target, place: { kind: 'inside', path }, fragment };
}
