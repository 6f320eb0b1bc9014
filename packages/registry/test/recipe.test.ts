// The recipe of CONTRIBUTING.md for a new operation: how many files an operation with a form is written in.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../..', import.meta.url));

const sources = ['registry/src', 'skillwright/src/ship'].flatMap((place) =>
  readdirSync(join(packages, place), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(place, path)),
);

const filesWith = (word: string) =>
  sources.filter((path) => new RegExp(`\\b${word}\\b`).test(readFileSync(join(packages, path), 'utf8')));

test('an operation with a form is written in three files', () => {
  expect(filesWith('createWebhook').toSorted()).toEqual([
    'registry/src/changes/webhook.ts',
    'registry/src/web/owner/owner-webhooks.ts',
    'skillwright/src/ship/protocol/operations.ts',
  ]);
});

test('the forms of operations are read in one place', () => {
  const readers = filesWith('parseBody').filter((path) => path.startsWith('registry/src/'));
  expect(readers.toSorted()).toEqual([
    // The token of a form, and single fields of sign-in pages and OAuth.
    'registry/src/http/own-request.ts',
    'registry/src/http/read-body.ts',
    'registry/src/web/forms/form-route.ts',
    // The colours, which are not an operation.
    'registry/src/web/site-routes.ts',
  ]);
});
