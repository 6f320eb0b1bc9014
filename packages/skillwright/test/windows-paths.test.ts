// Rules about paths as Windows spells them, by running them with the functions Node has for Windows.

import { win32 } from 'node:path';
import { describe, expect, test, vi } from 'vitest';

// Test files share the modules of their worker: these are loaded apart, with the paths of Windows.
vi.resetModules();
vi.doMock('node:path', () => ({ ...win32, default: win32 }));
const { isInside } = await import('../src/base/files/contained-path.ts');
const { spellSourcePath, readSpelledPath } = await import('../src/skill/skill/build-manifest.ts');
const { typedPath } = await import('../src/base/files/paths.ts');
const { isInRuntime, ownRootOf } = await import('../src/skill/workspace/project.ts');
const { storeAt } = await import('../src/skill/workspace/project.ts');
vi.doUnmock('node:path');
vi.resetModules();

describe('inside or not', () => {
  test.each([
    ['C:\\work', 'C:\\work', true],
    ['C:\\work', 'C:\\work\\a\\b', true],
    ['C:\\work', 'c:\\WORK\\a', true],
    ['C:\\work', 'c:\\WORK', true],
    ['C:\\work', 'C:\\workshop', false],
    ['C:\\work', 'C:\\work\\..\\other', false],
    ['C:\\work', 'D:\\work\\a', false],
    ['\\\\server\\share', '\\\\server\\share\\a', true],
    ['\\\\server\\share', '\\\\server\\other\\a', false],
  ])('%s holds %s: %s', (root, path, expected) => {
    expect(isInside(root, path)).toBe(expected);
  });
});

test.each([
  ['C:\\Users\\ada\\x', '~/x'],
  ['C:\\work\\p\\.skillc\\skills\\x', './.skillc/skills/x'],
  ['C:\\other\\x', '~/../../other/x'],
  ['Z:\\far\\x', 'Z:/far/x'],
  ['\\\\server\\share\\x', '//server/share/x'],
])('%s in a manifest is %s, and back', (source, spelled) => {
  const [project, home] = ['C:\\work\\p', 'C:\\Users\\ada'];
  expect(spellSourcePath(source, { project, home })).toBe(spelled);
  expect(readSpelledPath(spelled, `${project}\\.skillc\\runtime\\x`, home)).toBe(source);
});

test.each([
  ['~\\x', 'C:\\Users\\ada\\x'],
  ['~/x', 'C:\\Users\\ada\\x'],
  ['.\\x', 'C:\\work\\x'],
  ['D:\\x', 'D:\\x'],
])('%s as it is typed is %s', (word, expected) => {
  expect(typedPath(word, { cwd: 'C:\\work', home: 'C:\\Users\\ada' })).toBe(expected);
});

test('places of a store', () => {
  const { skills, lock } = storeAt('user', 'C:\\Users\\ada');
  expect({ skills, lock }).toEqual({
    skills: 'C:\\Users\\ada\\.skillc\\skills',
    lock: 'C:\\Users\\ada\\.skillc\\lock.json',
  });
});

test('runtime directories', () => {
  const stub = 'C:\\work\\.skillc\\runtime\\demo\\SKILL.md';
  expect([isInRuntime(stub), isInRuntime('C:\\work\\.skillc\\skills')]).toEqual([true, false]);
  expect(ownRootOf(stub)).toBe('C:\\work\\.skillc');
});
