// Things that are done in one place. A second way of doing one fails here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const registry = fileURLToPath(new URL('../../registry/src/', import.meta.url));

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.generated.ts'),
  );
const files = filesIn(source);

test.each<[way: string, pattern: RegExp, places: readonly string[]]>([
  ['opening or making a database', /new DatabaseSync/, ['base/sqlite/open-database.ts']],
  ['locking out other processes', /BEGIN EXCLUSIVE|LOCK_STALE/i, ['base/sqlite/hold-lock.ts']],
  ['renaming, which Windows may refuse for a moment', /\brenameSync\(/, ['base/files/retry.ts']],
  ['removing, likewise', /\brmSync\(/, ['base/files/retry.ts', 'base/sqlite/hold-lock.ts']],
  [
    'stemming: endings of words are cut off in one place',
    /function stem\w*\(|\.replace\(\/[^/]*\b(?:s|ed|ing|ies)\$\//,
    ['base/words/stem-word.ts'],
  ],
  ['splitting scripts without spaces', /new Intl\.Segmenter\([^)]*word/, ['base/words/analyze-text.ts']],
  ['weighing words by how rare they are', /Math\.log\(1 \+/, ['base/words/query-words.ts']],
  ['looking at a path where nothing may be', /throwIfNoEntry/, ['base/files/paths.ts']],
  ['cutting a text between characters', /ud800-..dbff\]\$/i, ['base/diagnostics/format-message.ts']],
  ['stopping the thread', /Atomics\.wait\b/, ['base/files/retry.ts']],
  [
    'trying or looking again',
    /for \(let (?:attempt|tried) = 1; ; /,
    ['base/files/retry.ts', 'host/models/ask-endpoint.ts', 'read/usage/write-access.ts'],
  ],
  ['waiting for something to pass', /\bsleepSync\(\w/, ['base/files/retry.ts', 'front/cli/write-fully.ts']],
  [
    // The two scripts of pages run in a browser.
    'sending a request',
    /(?<![.\w])await fetch\(|request as requestHttps?\b|https?\.(?:request|get)\(\w/,
    ['front/pages/asset.ts', 'front/pages/live-script.ts', 'ship/network/open-answer.ts'],
  ],
])('%s', (_, pattern, places) => {
  expect(files.filter((path) => pattern.test(readFileSync(join(source, path), 'utf8'))).toSorted()).toEqual(
    places.toSorted(),
  );
});

test('letters that look alike: one table, for the library and the registry', () => {
  // A table has Cyrillic and Greek letters side by side; no word has.
  const foreign = /[\u0400-\u04ff][\u0370-\u03ff]|[\u0370-\u03ff][\u0400-\u04ff]/;
  const tables = [source, registry].flatMap((directory) =>
    filesIn(directory).filter((path) => foreign.test(readFileSync(join(directory, path), 'utf8'))),
  );
  expect(tables).toEqual(['skill/format/look-alike.ts']);
});
