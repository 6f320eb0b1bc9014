// The skill of the sample world, whose page has everything a page can have.

import type { HeatedSection, SkillView } from '../../src/front/studio/data/read-skill.ts';
import { month, skills } from './sample-views.ts';

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
  const anchor = `section-${text.toLowerCase().replaceAll(' ', '-')}`;
  return { level, text, href: `#${anchor}`, anchor, tokens, reads, file, startLine: 1 };
};

const fields = 'references/fields.md';
const served = month((at) => (at % 7 === 6 ? 0 : 900 + 500 * Math.sin(at / 3) + 60 * (at % 5)));
const saved = month((at) => (at % 7 === 6 ? 0 : 6200 + 3400 * Math.sin(at / 3) + 300 * (at % 4)));
const sumOf = (points: typeof served) => points.reduce((sum, { value }) => sum + value, 0);

export const skillView: SkillView = {
  skill: skills.find(({ name }) => name === 'pdf-forms')!,
  file: 'SKILL.md',
  markdown,
  text: null,
  textWhy: null,
  frontmatter: [
    ['name', 'pdf-forms'],
    ['description', skills.find(({ name }) => name === 'pdf-forms')!.description],
    ['version', '1.4.0'],
    ['requires', 'bin:\n  - qpdf\n  - pdftk'],
  ],
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
    { path: 'SKILL.md', bytes: 9120, tokens: 2431, reads: 180 },
    { path: fields, bytes: 1840, tokens: 428, reads: 23 },
    { path: 'scripts/fill.py', bytes: 4210, tokens: 1020, reads: 0 },
    { path: 'assets/sample.pdf', bytes: 88_412, tokens: 0, reads: 0 },
  ],
  usage: {
    accesses: 214,
    errors: 5,
    tokensServed: sumOf(served),
    tokensSaved: sumOf(saved),
    served,
    saved,
  },
  emptySearches: [
    { query: 'digital signature', count: 6, last: '2026-11-16T13:10:00Z' },
    { query: 'XFA', count: 3, last: '2026-11-12T09:00:00Z' },
    { query: 'password protected', count: 1, last: '2026-11-02T10:00:00Z' },
  ],
  errors: [
    { code: 'E020', command: 'show', subject: 'Signatures', count: 4, last: '2026-11-16T14:02:11Z' },
    { code: 'E021', command: 'open', subject: 'references/xfa.md', count: 1, last: '2026-11-09T08:00:00Z' },
  ],
  quiz: [
    { question: 'When may you flatten a form?', asked: 14, failed: 6 },
    { question: 'Which file do you fill?', asked: 14, failed: 1 },
  ],
  together: [
    { a: 'Map columns to fields', b: 'Fill', runs: 52 },
    { a: 'Map columns to fields', b: 'Names', runs: 17 },
    { a: 'Fill', b: 'Check the result', runs: 8 },
  ],
  findings: [
    {
      id: 'SKL201',
      severity: 'warning',
      message: 'SKILL.md has 2,431 tokens; move details to references/',
      file: 'SKILL.md',
      line: null,
    },
    {
      id: 'SCN203',
      severity: 'low',
      message: 'the script reads the environment',
      file: 'scripts/fill.py',
      line: 12,
    },
  ],
  trust: {
    score: 78,
    reasons: [
      'the source is a registry you pinned: +30',
      'the version is in the transparency log: +20',
      'the scan found nothing dangerous: +20',
      'no maintainer has signed it: +0',
    ],
  },
  deployed: ['~/work/shop/.claude/skills/pdf-forms', '~/work/shop/.agents/skills/pdf-forms'],
  origin: '@acme/pdf-forms 1.4.0',
};
