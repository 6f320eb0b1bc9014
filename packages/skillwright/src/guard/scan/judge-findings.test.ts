import { describe, expect, test } from 'vitest';
import type { ScanCategory, ScanConfidence, ScanFinding, ScanSeverity, ScanVerdict } from './finding.ts';
import { judgeFindings } from './judge-findings.ts';

type Weight = `${ScanSeverity}/${ScanConfidence}`;
type Found = [rule: string, category: ScanCategory, weight: Weight, place?: string];

/** `place` is `file:line`; by default every finding has its own line of one file. */
function findingOf([rule, category, weight, place]: Found, index = 0): ScanFinding {
  const [severity, confidence] = weight.split('/') as [ScanSeverity, ScanConfidence];
  const [file, line] = (place ?? `SKILL.md:${index + 1}`).split(':') as [string, string?];
  return {
    rule,
    name: `${category}-${rule}`,
    category,
    severity,
    confidence,
    file,
    line: line === undefined ? null : Number(line),
    message: 'found',
    reason: 'harmful',
    help: 'remove it',
    excerpt: null,
  };
}

const judged = (found: readonly Found[], isPartial = false) =>
  judgeFindings(
    found.map((row, index) => findingOf(row, index)),
    { isPartial },
  );

const whole = 'complete';
const part = 'partial';

describe('score and verdict', () => {
  test.each<[string, Found[], 'complete' | 'partial', number, ScanVerdict]>([
    ['nothing', [], whole, 0, 'clean'],
    ['nothing in the scanned part', [], part, 0, 'caution'],
    // One finding of each weight.
    ['critical/high', [['A', 'secrets', 'critical/high']], whole, 100, 'danger'],
    ['critical/medium', [['A', 'secrets', 'critical/medium']], whole, 50, 'danger'],
    ['critical/low', [['A', 'secrets', 'critical/low']], whole, 6, 'clean'],
    ['high/high', [['A', 'secrets', 'high/high']], whole, 60, 'danger'],
    ['high/medium', [['A', 'secrets', 'high/medium']], whole, 35, 'danger'],
    ['high/low', [['A', 'secrets', 'high/low']], whole, 6, 'clean'],
    ['medium/high', [['A', 'secrets', 'medium/high']], whole, 25, 'caution'],
    ['medium/medium', [['A', 'secrets', 'medium/medium']], whole, 14, 'clean'],
    ['medium/low', [['A', 'secrets', 'medium/low']], whole, 4, 'clean'],
    ['low/high', [['A', 'secrets', 'low/high']], whole, 5, 'clean'],
    ['low/medium', [['A', 'secrets', 'low/medium']], whole, 2, 'clean'],
    ['low/low', [['A', 'secrets', 'low/low']], whole, 0, 'clean'],
    ['a minor finding in the scanned part', [['A', 'secrets', 'low/high']], part, 5, 'caution'],
    ['danger in the scanned part', [['A', 'secrets', 'high/medium']], part, 35, 'danger'],
    // A rule counts once, with its worst finding.
    [
      'a rule three times, the worst in the middle',
      [
        ['A', 'files', 'medium/medium'],
        ['A', 'files', 'medium/high'],
        ['A', 'files', 'medium/low'],
      ],
      whole,
      25,
      'caution',
    ],
    [
      'a rule twice, equal',
      [
        ['A', 'files', 'medium/medium'],
        ['A', 'files', 'medium/medium'],
      ],
      whole,
      14,
      'clean',
    ],
    // In a category, the heaviest rule counts in full and each other one half.
    [
      '15 points',
      [
        ['A', 'files', 'medium/medium'],
        ['B', 'files', 'low/medium'],
      ],
      whole,
      15,
      'caution',
    ],
    [
      'the lighter rule first, rounded up',
      [
        ['A', 'files', 'low/high'],
        ['B', 'files', 'medium/medium'],
      ],
      whole,
      17,
      'caution',
    ],
    [
      'three rules of a category',
      [
        ['A', 'files', 'medium/medium'],
        ['B', 'files', 'medium/medium'],
        ['C', 'files', 'medium/medium'],
      ],
      whole,
      28,
      'caution',
    ],
    [
      'two categories',
      [
        ['A', 'files', 'medium/medium'],
        ['B', 'secrets', 'medium/medium'],
      ],
      whole,
      28,
      'caution',
    ],
    // Minor findings do not add up to danger.
    [
      '42 points of minor findings',
      [
        ['A', 'files', 'medium/medium'],
        ['B', 'secrets', 'medium/medium'],
        ['C', 'permissions', 'medium/medium'],
      ],
      whole,
      29,
      'caution',
    ],
    [
      'one strong finding and a minor one',
      [
        ['A', 'files', 'medium/high'],
        ['B', 'secrets', 'medium/medium'],
      ],
      whole,
      29,
      'caution',
    ],
    // Danger takes two strong findings of two categories in two places.
    [
      'two strong findings of one category',
      [
        ['A', 'files', 'medium/high'],
        ['B', 'files', 'medium/high'],
      ],
      whole,
      29,
      'caution',
    ],
    [
      'two categories on one line',
      [
        ['A', 'files', 'medium/high', 'SKILL.md:3'],
        ['B', 'secrets', 'medium/high', 'SKILL.md:3'],
      ],
      whole,
      29,
      'caution',
    ],
    [
      'two categories about one whole file',
      [
        ['A', 'files', 'medium/high', 'run.sh'],
        ['B', 'secrets', 'medium/high', 'run.sh'],
      ],
      whole,
      29,
      'caution',
    ],
    [
      'two categories on two lines',
      [
        ['A', 'files', 'medium/high', 'SKILL.md:3'],
        ['B', 'secrets', 'medium/high', 'SKILL.md:4'],
      ],
      whole,
      50,
      'danger',
    ],
    [
      'two categories on the same line of two files',
      [
        ['A', 'files', 'medium/high', 'SKILL.md:3'],
        ['B', 'secrets', 'medium/high', 'run.sh:3'],
      ],
      whole,
      50,
      'danger',
    ],
    [
      'an act and minor findings',
      [
        ['A', 'files', 'high/medium'],
        ['B', 'files', 'medium/medium'],
        ['C', 'secrets', 'low/high'],
      ],
      whole,
      47,
      'danger',
    ],
  ])('%s', (_, found, scanned, score, verdict) => {
    const given = judged(found, scanned === part);
    expect({ score: given.score, verdict: given.verdict }).toEqual({ score, verdict });
  });
});

describe('findings', () => {
  const act: Found = ['A', 'files', 'high/medium'];
  const [minor, other, repeated]: Found[] = [
    ['A', 'files', 'medium/high'],
    ['B', 'secrets', 'medium/high'],
    ['A', 'files', 'medium/high'],
  ];

  test.each<[string, Found[]]>([
    ['none', []],
    ['caution', [minor!]],
    ['an act', [act]],
    ['a critical act', [['A', 'files', 'critical/medium']]],
    ['an act and minor findings', [act, minor!, other!]],
  ])('%s: as they are', (_, found) => {
    expect(judged(found).findings).toEqual(found.map((row, index) => findingOf(row, index)));
  });

  test('findings that are serious only together get a summary, which names each rule once', () => {
    expect(judged([minor!, other!, repeated!])).toEqual({
      verdict: 'danger',
      score: 50,
      findings: [
        {
          rule: 'A',
          name: 'files-A',
          category: 'files',
          severity: 'high',
          confidence: 'medium',
          file: 'SKILL.md',
          line: 1,
          message: 'these findings are serious together (50 points): A files-A, B secrets-B',
          reason: 'Each of them can be harmless; all of them in one skill rarely are.',
          help: 'Read every finding below before you use the skill.',
          excerpt: null,
          is_sum: true,
        },
        findingOf(minor!, 0),
        findingOf(other!, 1),
        findingOf(repeated!, 2),
      ],
    });
  });
});
