import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, makeSharedDirectory } from '../../../test/make-directory.ts';
import { findLink, locateFile, refuseLinks, resolvePart } from './index.ts';

const root = makeSharedDirectory({
  'skill/SKILL.md': 'text',
  'skill/refs/a.md': 'text',
  'skill/.env': 'secret',
  'skill/refs/.git/config': 'secret',
  'skill/node_modules/x/index.js': 'code',
  'skill/node_modules.md': 'text',
  'skill/inside.md': { link: 'refs/a.md' },
  'skill/inside': { link: 'refs' },
  'skill/to-env.md': { link: '.env' },
  'skill/to-git': { link: 'refs/.git' },
  'skill/out.md': { link: '../secret.md' },
  'skill/nowhere.md': { link: 'none.md' },
  'secret.md': 'secret',
  'linked-root': { link: 'skill' },
});
const skill = join(root, 'skill');

/** The path relative to the skill, or the code of the error. */
const short = (work: () => string | undefined) => {
  try {
    return work()?.slice(skill.length + 1);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a file below a directory', () => {
  test.each<[string, 'file' | 'nothing' | 'outside']>([
    ['SKILL.md', 'file'],
    ['refs/a.md', 'file'],
    ['./refs/a.md', 'file'],
    ['inside.md', 'file'],
    ['inside/a.md', 'file'],
    ['refs', 'nothing'],
    ['.', 'nothing'],
    ['none.md', 'nothing'],
    ['nowhere.md', 'nothing'],
    ['SKILL.md/x', 'nothing'],
    ['x'.repeat(5000), 'nothing'],
    ['../secret.md', 'outside'],
    ['refs/../SKILL.md', 'outside'],
    ['/etc/passwd', 'outside'],
    ['out.md', 'outside'],
  ])('%s: %s', (path, expected) => {
    expect(locateFile(skill, path)).toBe(expected);
  });
});

describe('a part of a skill', () => {
  test.each<[string, string | undefined]>([
    ['SKILL.md', 'SKILL.md'],
    ['./SKILL.md', 'SKILL.md'],
    ['refs', 'refs'],
    ['inside/a.md', 'refs/a.md'],
    ['node_modules.md', 'node_modules.md'],
    ['.', ''],
    ['none.md', undefined],
    ['.env', undefined],
    ['refs/.git/config', undefined],
    ['node_modules/x/index.js', undefined],
    ['to-env.md', undefined],
    ['to-git/config', undefined],
    ['out.md', 'E012'],
    ['../secret.md', 'E012'],
  ])('%s: %s', (path, expected) => {
    expect(short(() => resolvePart(skill, path))).toBe(expected);
    expect(short(() => resolvePart(join(root, 'linked-root'), path))).toBe(expected);
  });
});

describe('the first link on the way', () => {
  test.each<[string, string | undefined]>([
    ['SKILL.md', undefined],
    ['refs/a.md', undefined],
    ['inside.md', 'inside.md'],
    ['inside/a.md', 'inside'],
    ['inside/none/deeper', 'inside'],
    ['out.md', 'out.md'],
    ['nowhere.md', 'nowhere.md'],
    ['none/inside.md', undefined],
    ['SKILL.md/inside.md', undefined],
  ])('%s: %s', (path, expected) => {
    expect(short(() => findLink(skill, join(skill, path)))).toBe(expected);
    const refused = expected === undefined ? undefined : 'E017';
    expect(short(() => void refuseLinks(skill, join(skill, path)) as undefined)).toBe(refused);
  });

  test('the error names it', () => {
    expect(() => refuseLinks(skill, join(skill, 'inside/a.md'))).toThrow(
      expect.objectContaining({ code: 'E017', message: expect.stringContaining(join(skill, 'inside')) }),
    );
  });

  test('the root itself may be one', () => {
    const linked = join(root, 'linked-root');
    expect(findLink(linked, join(linked, 'SKILL.md'))).toBeUndefined();
  });

  test('a directory that cannot be searched is an error', (context) => {
    const dir = makeDirectory({ 'locked/below/x': '' });
    mkdirSync(join(dir, 'locked/closed'), { mode: 0o000 });
    const path = join(dir, 'locked/closed/x');
    expect(() => asNobody(context, () => findLink(dir, path))).toThrow(
      expect.objectContaining({ code: 'E015' }),
    );
  });
});
