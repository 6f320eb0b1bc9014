// Things that are done in one place. A second way of doing one fails here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.generated.ts'),
);

test.each<[way: string, pattern: RegExp, places: readonly string[]]>([
  ['opening or making a database', /new DatabaseSync/, ['base/sqlite/open-database.ts']],
  ['locking out other processes', /BEGIN EXCLUSIVE|LOCK_STALE/i, ['base/sqlite/hold-lock.ts']],
  ['stopping the thread', /Atomics\.wait\b/, ['base/files/retry.ts']],
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
