// What Windows lacks, by running on a file system without it: opening without following a link, and links.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeDirectory } from './make-directory.ts';

// Test files share the modules of their worker: these are loaded apart, with a file system like that of Windows.
const { O_NOFOLLOW: _, ...constants } = fs.constants;
const refuse = () => {
  throw Object.assign(new Error('operation not supported'), { code: 'ENOTSUP' });
};
vi.resetModules();
vi.doMock('node:fs', () => ({ ...fs, constants, symlinkSync: refuse }));
const { readInside } = await import('../src/base/files/contained-path.ts');
const { isBeside, linkBeside, linksBeside, takesLinks } = await import('../src/make/compile/links.ts');
vi.doUnmock('node:fs');
vi.resetModules();

describe('reading without O_NOFOLLOW', () => {
  const limits = { maxBytes: 100 };

  test('a link in the root or below it is not followed out', () => {
    const root = makeDirectory({
      'secret.txt': 'secret',
      'skill/plain.md': 'plain',
      'skill/out.md': { link: '../secret.txt' },
      'skill/deep/out.md': { link: '../../secret.txt' },
      'skill/in.md': { link: 'plain.md' },
    });
    const skill = join(root, 'skill');
    expect(readInside(skill, 'plain.md', limits)?.toString()).toBe('plain');
    expect(readInside(skill, 'in.md', limits)?.toString()).toBe('plain');
    expect(readInside(skill, 'missing.md', limits)).toBeUndefined();
    for (const path of ['out.md', 'deep/out.md'])
      expect(() => readInside(skill, path, limits)).toThrow(expect.objectContaining({ code: 'E012' }));
  });
});

describe('files beside a stub, without links', () => {
  test('are copied, copied again, and known as ours', () => {
    const root = makeDirectory({
      'source/scripts/go.sh': 'one',
      'source/notes.md': 'notes',
      runtime: { directory: true },
    });
    const [source, runtime] = [join(root, 'source'), join(root, 'runtime')];
    const project = undefined;
    expect(takesLinks(root)).toBe(false);
    const copied = linkBeside(runtime, ['scripts', 'notes.md'], { source, project, copied: undefined });
    expect(copied).toEqual(['scripts', 'notes.md']);
    expect(isBeside(runtime, copied, { source, copied })).toBe(true);
    fs.writeFileSync(join(source, 'scripts/go.sh'), 'two');
    expect(linkBeside(runtime, ['scripts'], { source, project, copied })).toEqual(['scripts']);
    expect(fs.readFileSync(join(runtime, 'scripts/go.sh'), 'utf8')).toBe('two');
    expect(linksBeside(runtime, { source, copied })).toEqual(['scripts']);
  });

  test('what skc did not copy stays', () => {
    const root = makeDirectory({ 'source/scripts/go.sh': 'one', 'runtime/scripts/mine.sh': 'mine' });
    const [source, runtime] = [join(root, 'source'), join(root, 'runtime')];
    expect(() => linkBeside(runtime, ['scripts'], { source, project: undefined, copied: undefined })).toThrow(
      expect.objectContaining({ code: 'E013' }),
    );
    expect(fs.readFileSync(join(runtime, 'scripts/mine.sh'), 'utf8')).toBe('mine');
  });
});
