// Several rules read the same problems: together they must report each exactly once.

import { describe, expect, test } from 'vitest';
import type { ProfileName } from '../../skill/format/profile-table.ts';
import { skillWithText } from '../../skill/skill/open-skill.ts';
import { lintSubject } from './lint-subject.ts';
import { rules } from './rules/index.ts';

const fieldRules = rules.filter(({ id }) => id >= 'SKL100' && id < 'SKL200' && id !== 'SKL108');

function lint(frontmatter: string, profile: ProfileName = 'spec'): string[] {
  const skill = lintSubject(skillWithText('/nowhere/demo', `---\n${frontmatter}---\n`), { profile });
  return fieldRules.flatMap((rule) =>
    [...rule.check(skill, {})].map(({ severity, line }) => `${rule.id} ${severity ?? rule.severity} ${line}`),
  );
}

const good = 'name: demo\ndescription: Draws\n';
const cases: { what: string; frontmatter: string; found: string[]; profile?: ProfileName }[] = [
  { what: 'nothing wrong', frontmatter: good, found: [] },
  { what: 'empty frontmatter', frontmatter: '', found: ['SKL101 error 1', 'SKL105 error 1'] },
  { what: 'no name', frontmatter: 'description: Draws\n', found: ['SKL101 error 1'] },
  { what: 'an empty name', frontmatter: 'name: ""\ndescription: Draws\n', found: ['SKL101 error 2'] },
  { what: 'a name that is null', frontmatter: 'name: ~\ndescription: Draws\n', found: ['SKL101 error 2'] },
  {
    what: 'a name that is a list',
    frontmatter: 'name: [demo]\ndescription: Draws\n',
    found: ['SKL102 error 2'],
  },
  {
    what: 'a name that is a number',
    frontmatter: 'name: 5\ndescription: Draws\n',
    found: ['SKL104 warning 2'],
  },
  { what: 'a name in capitals', frontmatter: 'name: Demo\ndescription: Draws\n', found: ['SKL102 error 2'] },
  {
    what: 'a name too long and in capitals',
    frontmatter: `name: ${'D'.repeat(65)}\ndescription: Draws\n`,
    found: ['SKL102 error 2', 'SKL103 error 2'],
  },
  {
    what: 'a name too long',
    frontmatter: `name: ${'d'.repeat(65)}\ndescription: Draws\n`,
    found: ['SKL103 error 2'],
  },
  { what: 'another name', frontmatter: 'name: other\ndescription: Draws\n', found: ['SKL104 warning 2'] },
  { what: 'an empty description', frontmatter: 'name: demo\ndescription:\n', found: ['SKL106 error 3'] },
  {
    what: 'a description that is a list',
    frontmatter: 'name: demo\ndescription: [a]\n',
    found: ['SKL105 error 3'],
  },
  {
    what: 'a long description',
    frontmatter: `name: demo\ndescription: ${'d'.repeat(1025)}\n`,
    found: ['SKL107 warning 3'],
  },
  {
    what: 'a bad quiz under the standard',
    frontmatter: `${good}quiz: 5\n`,
    found: ['SKL109 warning 4', 'SKL111 error 4'],
  },
  {
    what: 'a bad quiz in a registry',
    frontmatter: `${good}license: MIT\nversion: 1.0.0\nauthor: me\ntags: a\nquiz: 5\n`,
    found: ['SKL111 error 8'],
    profile: 'registry',
  },
  { what: 'bad hooks', frontmatter: `${good}hooks: 5\n`, found: ['SKL113 error 4'], profile: 'claude-code' },
  {
    what: 'empty triggers',
    frontmatter: `${good}triggers:\n`,
    found: ['SKL109 warning 4', 'SKL112 error 4'],
  },
  {
    what: 'an upload with brackets',
    frontmatter: 'name: demo\ndescription: <b>\n',
    found: ['SKL110 error 3'],
    profile: 'upload',
  },
];

test.each(cases)('$what', ({ frontmatter, found, profile }) => {
  expect(lint(frontmatter, profile)).toEqual(found);
});

describe('hostile frontmatter', () => {
  test('hundreds of faults are counted, not listed', () => {
    const fields = Array.from({ length: 500 }, (_, index) => `f${index}: x\n`).join('');
    const skill = lintSubject(skillWithText('/nowhere/demo', `---\n${good}${fields}---\n`), {
      profile: 'strict',
    });
    const findings = [...rules.find(({ id }) => id === 'SKL109')!.check(skill, {})];
    expect([findings.length, findings.at(-1)]).toEqual([
      51,
      { message: '450 more findings like these', line: 1, severity: 'error' },
    ]);
  });

  const deep = `${'['.repeat(60)}1${']'.repeat(60)}`;
  const values = [
    '~',
    '5',
    '[]',
    '{}',
    '[[], {}, ~, 5]',
    '{ a: [5], b: { c: ~ } }',
    '"\\0\\e[31m"',
    deep,
    `"${'x'.repeat(20_000)}"`,
  ];
  const fields = [
    'name',
    'description',
    'metadata',
    'allowed-tools',
    'quiz',
    'triggers',
    'hooks',
    'model',
    'tags',
    'constructor',
  ];
  test.each(fields)('%s may hold anything', (field) => {
    for (const value of values) {
      for (const profile of ['spec', 'strict', 'claude-code', 'registry', 'upload'] as const) {
        const text = `---\n${field}: ${value}\n---\n`;
        const skill = lintSubject(skillWithText('/nowhere/demo', text), { profile });
        const texts = fieldRules.flatMap((rule) =>
          [...rule.check(skill, {})].flatMap(({ message, help, fix }) => [
            message,
            help ?? '',
            String(fix?.(text).length),
          ]),
        );
        expect(texts.filter((line) => line.length > 240 || /[\p{Cc}]/u.test(line))).toEqual([]);
      }
    }
  });
});
