import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { writeFully } from './write-fully.ts';

test('writes everything', () => {
  const path = join(makeDirectory(), 'out');
  const text = 'häß😀\n'.repeat(200_000);
  const descriptor = openSync(path, 'w');
  expect(writeFully(descriptor, text)).toBe(true);
  expect(writeFully(descriptor, '')).toBe(true);
  closeSync(descriptor);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test.runIf(process.platform === 'linux')('passes on what makes writing impossible', () => {
  const descriptor = openSync('/dev/full', 'w');
  expect(() => writeFully(descriptor, 'x')).toThrow('ENOSPC');
  closeSync(descriptor);
});
