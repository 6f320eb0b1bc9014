// The skill of the sample world, whose page has everything a page can have.

import type { HeatedSection, SkillView } from '../../src/front/studio/data/read-skill.ts';
import { installed, month, skills, used } from './sample-views.ts';

const markdown = `# PDF forms

Fill forms without breaking them. Read the section you need; nothing else.

## Before you start

- The form is a real form: \`qpdf --check form.pdf\` passes, and it lists fields.
- You have the data as CSV. See [field names](references/fields.md) for the spelling.

## Map columns to fields

Write the mapping first, and show it to the user:

\`\`\`json
{ "First name": "applicant.given", "Birthday": "applicant.born" }
\`\`\`

| column | field | rule |
|---|---|---|
| Birthday | applicant.born | ISO date |
| Country | address.country | two letters |

### Dates

Dates are written as the form wants them, not as the spreadsheet has them.

### Check boxes

A check box takes the name of its state, which is often \`Yes\` and sometimes \`1\`.

## Fill

Fill a copy. Never overwrite the form.

## Flatten

Flatten only when the user asks: afterwards nobody can correct a field.

## Check the result

Open the file, and compare three fields with the data.

## When fields are missing

Old forms are drawings of forms. Say so, and offer to place text instead.
`;

const section = (
  text: string,
  {
    level,
    tokens,
    reads,
    file = 'SKILL.md',
  }: { level: number; tokens: number; reads: number; file?: string },
): HeatedSection => {
  const anchor = text.toLowerCase().replaceAll(' ', '-');
  return {
    level,
    text,
    anchor,
    tokens,
    ownTokens: tokens,
    reads,
    asked: reads,
    file,
    start_line: 1,
    end_line: 2,
  };
};

const fields = 'references/fields.md';
const served = month((at) => (at % 7 === 6 ? 0 : 900 + 500 * Math.sin(at / 3) + 60 * (at % 5)));
const saved = month((at) => (at % 7 === 6 ? 0 : 6200 + 3400 * Math.sin(at / 3) + 300 * (at % 4)));

const sumOf = (days: Readonly<Record<string, number>>) =>
  Object.values(days).reduce((sum, tokens) => sum + tokens, 0);
const forms = skills.find(({ name }) => name === 'pdf-forms')!;

export const skillView: SkillView = {
  skill: {
    ...forms,
    install: installed,
    use: { ...forms.use, tokens_served: sumOf(served), tokens_saved: sumOf(saved) },
  },
  range: '30d',
  chart: Object.fromEntries(
    Object.entries(served).map(([day, tokens_served]) => [
      day,
      { ...used(7, null), tokens_served, tokens_saved: saved[day]! },
    ]),
  ),
  file: 'SKILL.md',
  markdown,
  text: null,
  textWhy: null,
  frontmatter: {
    name: 'pdf-forms',
    description: skills.find(({ name }) => name === 'pdf-forms')!.description,
    version: '1.4.0',
    requires: 'bin:\n  - qpdf\n  - pdftk',
  },
  outline: [
    section('PDF forms', { level: 1, tokens: 41, reads: 12 }),
    section('Before you start', { level: 2, tokens: 118, reads: 33 }),
    section('Map columns to fields', { level: 2, tokens: 212, reads: 97 }),
    section('Dates', { level: 3, tokens: 64, reads: 18 }),
    section('Check boxes', { level: 3, tokens: 80, reads: 0 }),
    section('Fill', { level: 2, tokens: 96, reads: 61 }),
    section('Flatten', { level: 2, tokens: 133, reads: 4 }),
    section('Check the result', { level: 2, tokens: 71, reads: 9 }),
    section('When fields are missing', { level: 2, tokens: 148, reads: 0 }),
    section('Fields', { level: 1, tokens: 22, reads: 2, file: fields }),
    section('Names', { level: 2, tokens: 96, reads: 21, file: fields }),
    section('Types', { level: 2, tokens: 310, reads: 0, file: fields }),
  ],
  files: [
    { path: 'SKILL.md', size: 9120, tokens: 2431, reads: 180 },
    { path: fields, size: 1840, tokens: 428, reads: 23 },
    { path: 'scripts/fill.py', size: 4210, tokens: 1020, reads: 0 },
    { path: 'assets/sample.pdf', size: 88_412, tokens: 0, reads: 0 },
  ],
  stats: {
    search: [
      { query: 'digital signature', count: 6, zero_results: 6, last_access: '2026-11-16T13:10:00Z' },
      { query: 'flatten', count: 9, zero_results: 0, last_access: '2026-11-14T13:10:00Z' },
      { query: 'XFA', count: 3, zero_results: 3, last_access: '2026-11-12T09:00:00Z' },
      { query: 'password protected', count: 2, zero_results: 1, last_access: '2026-11-02T10:00:00Z' },
    ],
    errors: [
      {
        error: 'E020',
        command: 'show',
        subject: 'Signatures',
        count: 4,
        last_access: '2026-11-16T14:02:11Z',
      },
      {
        error: 'E021',
        command: 'open',
        subject: 'references/xfa.md',
        count: 1,
        last_access: '2026-11-09T08:00:00Z',
      },
    ],
    quiz: [
      {
        question: 1,
        text: 'When may you flatten a form?',
        asked: 14,
        failed: 6,
        rate: 43,
        attempts: 7,
        passes: 4,
      },
      { question: 2, text: 'Which file do you fill?', asked: 14, failed: 1, rate: 7, attempts: 7, passes: 4 },
    ],
  },
  scan: {
    ...{ complete: true, skipped: [] },
    findings: [
      {
        rule: 'SCN203',
        name: 'reads-environment',
        category: 'credentials',
        severity: 'low',
        confidence: 'medium',
        message: 'the script reads the environment',
        reason: 'Keys and tokens are kept there.',
        help: 'Read the line.',
        file: 'scripts/fill.py',
        line: 12,
        excerpt: 'printer = os.environ.get("PRINTER")',
        ...{ id: 'f1', digest: 'sha256:0' },
        accepted: {
          by: 'kim',
          why: 'reads the name of a printer',
          at: '2026-10-02T00:00:00Z',
          where: 'lock',
          counts: true,
        },
      },
    ],
  },
  lint: {
    ...{ errors: 0, warnings: 1 },
    findings: [
      {
        rule: 'SKL401',
        severity: 'warning',
        message: 'no text refers to this file',
        path: 'assets/old.pdf',
        line: null,
      },
    ],
  },
  licence: { declared: 'MIT', file: 'LICENSE', detected: 'MIT', problem: null, refused: null },
  trust: {
    score: 65,
    factors: [
      { factor: 'level', points: 15, max: 20, reason: 'its level in the registry is verified' },
      { factor: 'licence', points: 10, max: 10, reason: 'the licence is declared' },
      { factor: 'rating', points: 0, max: 15, reason: 'it has no rating in a registry' },
      { factor: 'scan', points: 20, max: 20, reason: 'the scan found nothing to worry about' },
      {
        factor: 'size',
        points: 15,
        max: 15,
        reason: '101 KiB; 15 points up to 1 MiB, 10 up to 10 MiB, 5 up to 50 MiB',
      },
    ],
    cap: null,
  },
  deployed: ['~/work/shop/.claude/skills/pdf-forms', '~/work/shop/.agents/skills/pdf-forms'],
};
