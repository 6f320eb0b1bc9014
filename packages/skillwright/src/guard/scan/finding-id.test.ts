import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyFindings } from './scan-baseline.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'skc-finding-'));
  mkdirSync(join(dir, 'scripts'));
  writeFileSync(join(dir, 'scripts/run.sh'), 'echo one\necho two\n');
});
afterEach(() => rmSync(dir, { recursive: true }));

const one = { rule: 'SCN201', file: 'scripts/run.sh', line: 1 };
const two = { ...one, line: 2 };
const idsOf = (...findings: (typeof one)[]) => identifyFindings(dir, findings).map(({ id }) => id);

test('a finding is identified by its rule, its file, the digest of the file and the text of the line', () => {
  expect(identifyFindings(dir, [one])).toEqual([
    {
      ...one,
      id: '2b74f6669286',
      digest: 'sha256:5c5386da62193eb9d9cb7c9b2208cdf75bf7828c4bd326b8702f940b4b45d6cf',
    },
  ]);
  expect(new Set(idsOf(one, two, { ...one, rule: 'SCN202' })).size).toBe(3);
  expect(idsOf(one)).toEqual(idsOf(one));
});

test('a change anywhere in the file changes the identity', () => {
  const before = idsOf(one);
  writeFileSync(join(dir, 'scripts/run.sh'), 'echo one\necho three\n');
  expect(idsOf(one)).not.toEqual(before);
});

test('a link out of the skill is identified by its target, a missing file by the digest of nothing', () => {
  symlinkSync('/etc/passwd', join(dir, 'notes'));
  const link = { rule: 'SCN901', file: 'notes', line: null };
  const [first] = identifyFindings(dir, [link]);
  rmSync(join(dir, 'notes'));
  symlinkSync('/etc/shadow', join(dir, 'notes'));
  const [second, gone] = identifyFindings(dir, [link, { ...link, file: 'gone' }]);
  expect(new Set([first!.id, second!.id, gone!.id]).size).toBe(3);
});
