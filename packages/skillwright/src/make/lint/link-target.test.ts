import { describe, expect, test } from 'vitest';
import { judgeMissingPath, readLinkTarget } from './skill-links.ts';

describe('is not about a file', () => {
  test.each([
    '',
    'https://example.com/a.md',
    'HTTP://EXAMPLE.COM',
    'mailto:someone@example.com',
    'data:image/png;base64,AAAA',
    'vscode://file/x',
    'tel:+41',
    '//cdn.example.com/x.js',
  ])('%j', (target) => {
    expect(readLinkTarget(target)).toEqual({ kind: 'elsewhere' });
  });
});

describe('starts at a root', () => {
  test.each([
    ['/etc/passwd', false],
    ['/Users/me/notes', false],
    ['/abs/path.md', false],
    ['~/notes.md', false],
    ['C:\\notes.md', false],
    ['c:/notes.md', false],
    ['\\\\server\\share\\x.md', false],
    ['file:///etc/passwd', false],
    ['/en/docs/overview', true],
    ['/docs/index.html#top', true],
  ])('%j, on a web site: %j', (target, site) => {
    expect(readLinkTarget(target)).toEqual({ kind: 'absolute', site });
  });
});

describe('is a path', () => {
  test.each([
    ['a.md', 'a.md', undefined],
    ['./a%20b.md', './a b.md', undefined],
    ['a.md#Teil%20%C3%BC', 'a.md', 'Teil ü'],
    ['a.md?raw=true#x', 'a.md', 'x'],
    ['#x?y', '', 'x?y'],
    ['what%3F.md', 'what?.md', undefined],
    ['100%.md', '100%.md', undefined],
    ['src/main.ts:12', 'src/main.ts:12', undefined],
  ])('%j', (target, path, fragment) => {
    expect(readLinkTarget(target)).toEqual({ kind: 'relative', path, fragment });
  });
});

describe('judges broken links', () => {
  test.each([
    ['references/gone.md', 'certain'],
    ['missing-file.md', 'certain'],
    ['foo.md', 'certain'],
    ['examples/example.md', 'certain'],
    ['../shared/x.md', 'certain'],
    ['pictures/', 'certain'],
    ['LICENSE', 'doubtful'],
    ['later', 'doubtful'],
    ['./doc-file-1.md', 'doubtful'],
    ['component-name.md', 'doubtful'],
    ['www.example.com', 'doubtful'],
    ['github.com/a/b', 'doubtful'],
    ['url', 'placeholder'],
    ['<path>/x.md', 'placeholder'],
    ['{{page}}.md', 'placeholder'],
    ['$HOME/x.md', 'placeholder'],
    ['%APPDATA%/x.md', 'placeholder'],
    ['references/*.md', 'placeholder'],
    ['[Description]', 'placeholder'],
    ['path/to/file.md', 'placeholder'],
    ['references/your-topic.md', 'placeholder'],
    ['docs/...', 'placeholder'],
    ['src/main.ts:12', 'placeholder'],
  ])('%j is %s', (path, certainty) => {
    expect(judgeMissingPath(path)).toBe(certainty);
  });

  test("a line of code belongs to the user's project", () => {
    expect(judgeMissingPath('src/main.ts', 'L42')).toBe('placeholder');
  });
});
