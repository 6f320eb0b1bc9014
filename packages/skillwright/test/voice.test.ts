// The voice guide of CONTRIBUTING, held: none of its phrases appears in help, errors, docs, rule pages or comments.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const voice = guide.slice(guide.indexOf('\n## Voice\n'), guide.indexOf('\n## Style\n'));

/** The phrases in the left column of the guide's table. */
const phrases = [...voice.matchAll(/^\| (?!not \||---)([^|]+?) \| [^|]+ \|$/gm)].map(
  (row) => new RegExp(`\\b${row[1]}\\b`, 'i'),
);

/** Rules 3 and 4 of the guide. A question may start with What, and "there is no such file" is plain English. */
const patterns = [
  /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b)[a-z]+/i,
  /(?:^|[.:] |\/\/ |\/\*\* |^\s*\* )(?:What|Who|Whose|Whoever|Whatever) [a-z][^?]*?\.(?:\s|$)/,
];

/** Pages that quote the phrases, tell the past, or are written by a generator from checked texts. */
const exempt = [/^CONTRIBUTING\.md$/, /\.generated\.ts$/, /^packages\/skillwright\/test\/voice\.test\.ts$/];

function* textFiles(directory: string): Generator<string> {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true, recursive: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (
      entry.isFile() &&
      /\.(?:md|ts)$/.test(entry.name) &&
      !/(?:^|\/)(?:node_modules|fixtures|scan-samples|__snapshots__)\//.test(path)
    )
      yield path;
  }
}

/** What a person reads of a file: all of a page; the comments and texts of a program. */
function spokenLines(path: string): string[] {
  return readFileSync(join(root, path), 'utf8').split('\n');
}

function* offences(path: string): Generator<string> {
  let inFence = false;
  for (const [index, line] of spokenLines(path).entries()) {
    if (/^\s*(?:```|~~~)/.test(line) && path.endsWith('.md')) inFence = !inFence;
    if (inFence) continue;
    const phrase = phrases.find((words) => words.test(line));
    const pattern = patterns.find((rule) => rule.test(line));
    if (phrase !== undefined || pattern !== undefined)
      yield `${path}:${index + 1}: ${line.trim().slice(0, 140)}`;
  }
}

describe('the voice guide', () => {
  test('lists phrases', () => {
    expect(phrases.length).toBeGreaterThan(10);
  });

  test.each([
    'docs',
    'skills',
    'examples',
    'scripts',
    'bench',
    'packages/skillwright/src',
    'packages/registry/src',
    'packages/registry/test',
  ])('holds in %s', (directory) => {
    const found = [...textFiles(directory)]
      .filter((path) => !exempt.some((rule) => rule.test(path)))
      .flatMap((path) => [...offences(path)]);
    expect(found.join('\n')).toBe('');
  });

  test.each(['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'AGENTS.md', 'CHANGELOG.md'])(
    'holds in %s',
    (path) => {
      expect([...offences(path)].join('\n')).toBe('');
    },
  );
});
