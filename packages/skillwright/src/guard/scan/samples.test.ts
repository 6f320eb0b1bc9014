// Verdicts for whole skills, malicious and harmless.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { harmless } from '../../../test/scan-samples/harmless.ts';
import { heldOutHarmless } from '../../../test/scan-samples/held-out-harmless.ts';
import { heldOutMalicious } from '../../../test/scan-samples/held-out-malicious.ts';
import { maliciousInstructions } from '../../../test/scan-samples/malicious-instructions.ts';
import { maliciousPrograms } from '../../../test/scan-samples/malicious-programs.ts';
import { orders } from '../../../test/scan-samples/orders.ts';
import { nearMisses, reported } from '../../../test/scan-samples/reported.ts';
import type { Sample } from '../../../test/scan-samples/sample.ts';
import { tracedPrograms } from '../../../test/scan-samples/traced-programs.ts';
import { scanSkill } from './scan-skill.ts';

/** `<verdict> <name>` of every sample with another verdict. */
function othersThan(verdict: string, samples: readonly Sample[]): string[] {
  return samples
    .map(({ name, files }) => {
      const tree = Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]);
      return `${scanSkill(join(makeDirectory(Object.fromEntries(tree)), name)).verdict} ${name}`;
    })
    .filter((line) => !line.startsWith(`${verdict} `))
    .sort();
}

/** Words alone are caution by design; a clean verdict is a miss. Each is listed, so that a change shows. */
const malicious: readonly (readonly [string, readonly Sample[]])[] = [
  ['instructions', maliciousInstructions],
  ['programs', maliciousPrograms],
  ['held out', heldOutMalicious],
  ['data flow', tracedPrograms],
  ['orders in ordinary skills', orders],
  ...Object.entries(reported).flatMap(
    ([name, { tuned, keptApart }]) =>
      [
        [name, tuned],
        [`${name}, held out`, keptApart],
      ] as const,
  ),
];

describe('malicious skills without a danger verdict', () => {
  test.each(malicious)('%s', (_, samples) => {
    expect(othersThan('danger', samples)).toMatchSnapshot();
  });
});

test('at least 70 of 100 malicious skills get a danger verdict, and 85 are flagged', () => {
  const all = malicious.flatMap(([, samples]) => samples);
  const others = malicious.flatMap(([, samples]) => othersThan('danger', samples));
  const clean = others.filter((line) => line.startsWith('clean'));
  expect([1 - others.length / all.length >= 0.7, 1 - clean.length / all.length >= 0.85]).toEqual([
    true,
    true,
  ]);
});

/** A download piped into a shell is reported for any address. */
test('harmless skills that are not clean pipe an installer into a shell, or quote injections', () => {
  expect(
    othersThan('clean', [...harmless, ...heldOutHarmless, ...nearMisses.tuned, ...nearMisses.keptApart]),
  ).toMatchInlineSnapshot(`
    [
      "caution nvm-install",
    ]
  `);
});
