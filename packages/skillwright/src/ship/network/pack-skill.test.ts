import { execFileSync } from 'node:child_process';
import { chmodSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { listTree, skillText } from '../../../test/make-world.ts';
import { sha256 } from '../../base/files/hash.ts';
import { archiveSkill, packSkill } from './pack-skill.ts';

const pack = (tree: Tree) => packSkill(makeDirectory({ 'SKILL.md': skillText('pdf'), ...tree }));

describe('packSkill', () => {
  test('packs visible files in bytewise order', () => {
    const dir = makeDirectory({
      'SKILL.md': '---\nname: pdf\ndescription: " D. "\nmetadata:\n  version: "1.2.0"\n---\n',
      'scripts/run.sh': '#!/bin/sh\n',
      'Z.md': 'z',
      'link.md': { link: 'Z.md' },
      'empty/': { directory: true },
      '.env': 'SECRET=1',
      '.git/config': 'x',
      'scripts/.hidden': 'x',
      'node_modules/x/index.js': 'x',
    });
    chmodSync(join(dir, 'scripts/run.sh'), 0o700);
    const { files, ...facts } = packSkill(dir);
    expect(facts).toEqual({ name: 'pdf', description: 'D.', version: '1.2.0' });
    expect(files.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['Z.md', false],
      ['link.md', false],
      ['scripts/run.sh', true],
    ]);
    expect(Buffer.from(files[2]!.bytes).toString()).toBe('z');
  });

  test.each<[string, Tree, string]>([
    ['a link that leads out', { 'a.md': { link: '../../etc/passwd' } }, 'E012'],
    ['a link to itself', { 'a.md': { link: 'a.md' } }, 'E012'],
    ['a link to nothing', { 'a.md': { link: 'none.md' } }, 'E015'],
    ['a link to a directory', { 'a/b.md': 'x', c: { link: 'a' } }, 'E015'],
    ['a name that some systems do not allow', { 'a:b.md': 'x' }, 'E015'],
    ['a name with a line break', { 'a\nb.md': 'x' }, 'E015'],
    ['no frontmatter', { 'SKILL.md': '# x\n' }, 'E014'],
    ['a bad name', { 'SKILL.md': skillText('../x') }, 'E011'],
    ['no description', { 'SKILL.md': '---\nname: a\n---\n' }, 'E011'],
  ])('%s', (_, tree, code) => {
    expect(() => pack(tree)).toThrow(expect.objectContaining({ code }));
  });

  test('no SKILL.md, no directory, a pipe', () => {
    const dir = makeDirectory({ 'a/README.md': 'x', 'b/SKILL.md': skillText('b') });
    execFileSync('mkfifo', [join(dir, 'b/pipe')]);
    expect(() => packSkill(join(dir, 'a'))).toThrow(expect.objectContaining({ code: 'E010' }));
    expect(() => packSkill(join(dir, 'b'))).toThrow(expect.objectContaining({ code: 'E015' }));
    expect(() => packSkill(join(dir, 'none'))).toThrow(expect.objectContaining({ code: 'E015' }));
  });
});

describe('archiveSkill', () => {
  const long = `${'directory-'.repeat(9)}/${'deeper-'.repeat(12)}/${'file-'.repeat(30)}ü.md`;

  test('unpacks to the same files, modes included', async () => {
    const dir = makeDirectory({
      'SKILL.md': skillText('pdf'),
      'scripts/a.sh': 'x',
      [long]: 'long',
      'empty.txt': '',
    });
    chmodSync(join(dir, 'scripts/a.sh'), 0o755);
    const out = makeDirectory({
      'a.tar.gz': await archiveSkill(packSkill(dir).files),
      'out/': { directory: true },
    });
    execFileSync('tar', ['-xzf', join(out, 'a.tar.gz'), '-C', join(out, 'out')]);
    expect(listTree(join(out, 'out'))).toEqual(listTree(dir));
    const listed = execFileSync('tar', ['-tvzf', join(out, 'a.tar.gz')], {
      encoding: 'utf8',
      env: { TZ: 'UTC' },
    });
    expect(listed.split('\n')[0]!.replace(/ +/g, ' ')).toBe('-rw-r--r-- 0/0 62 1970-01-01 00:00 SKILL.md');
    expect(listed).toMatch(/-rwxr-xr-x 0\/0 +1 1970-01-01 00:00 scripts\/a\.sh/);
  });

  test('the same files make the same bytes, whatever else differs', async () => {
    const tree = { 'SKILL.md': skillText('pdf'), 'b.md': 'b'.repeat(5000), 'a.md': 'a' };
    const [one, two] = [
      makeDirectory(tree),
      makeDirectory(Object.fromEntries(Object.entries(tree).reverse())),
    ];
    utimesSync(join(two, 'a.md'), 1, 1);
    chmodSync(join(two, 'b.md'), 0o600);
    const [first, second] = [
      await archiveSkill(packSkill(one).files),
      await archiveSkill(packSkill(two).files),
    ];
    expect(sha256(first)).toBe(sha256(second));
    expect(gunzipSync(first).length % 512).toBe(0);
  });

  test('Bun and Node make the same bytes', async () => {
    const dir = makeDirectory({ 'SKILL.md': skillText('pdf'), 'b.md': 'some words '.repeat(5000) });
    const script = [
      `const { archiveSkill, packSkill } = await import(${JSON.stringify(import.meta.resolve('./pack-skill.ts'))});`,
      `process.stdout.write(await archiveSkill(packSkill(${JSON.stringify(dir)}).files));`,
    ].join('\n');
    const bun = fileURLToPath(new URL('../../../../../node_modules/.bin/bun', import.meta.url));
    const made = execFileSync(bun, ['-e', script]);
    expect(sha256(made)).toBe(sha256(await archiveSkill(packSkill(dir).files)));
  });
});
