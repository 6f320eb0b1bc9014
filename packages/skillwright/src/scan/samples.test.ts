// Whole skills, malicious and harmless: what the rules come to together.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../test/make-directory.ts';
import { harmless } from '../../test/scan-samples/harmless.ts';
import { heldOutHarmless } from '../../test/scan-samples/held-out-harmless.ts';
import { heldOutMalicious } from '../../test/scan-samples/held-out-malicious.ts';
import { maliciousInstructions } from '../../test/scan-samples/malicious-instructions.ts';
import { maliciousPrograms } from '../../test/scan-samples/malicious-programs.ts';
import type { Sample } from '../../test/scan-samples/sample.ts';
import type { ScanVerdict } from './finding.ts';
import { scanSkill } from './scan-skill.ts';

function verdictOn({ name, files }: Sample): ScanVerdict {
  const root = makeDirectory(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text])),
  );
  return scanSkill(join(root, name)).verdict;
}

describe('malicious skills are in danger', () => {
  test.each([...maliciousInstructions, ...maliciousPrograms])('$name', (sample) => {
    expect(verdictOn(sample)).toBe('danger');
  });
});

describe('harmless skills are clean', () => {
  test.each([...harmless])('$name', (sample) => {
    expect(verdictOn(sample)).toBe('clean');
  });
});

/** Skills the rules were not tuned on: what is missed is named, so that it is seen when that changes. */
test('of the malicious skills that were kept apart, these are missed', () => {
  expect(heldOutMalicious.filter((sample) => verdictOn(sample) !== 'danger').map(({ name }) => name)).toEqual(
    ['jira-sync'],
  );
});

test('of the harmless skills that were kept apart, none is flagged', () => {
  expect(heldOutHarmless.filter((sample) => verdictOn(sample) !== 'clean').map(({ name }) => name)).toEqual(
    [],
  );
});
