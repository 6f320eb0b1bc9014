import { describe, expect, test } from 'vitest';
import type { SkillRecord } from '../../read/catalog/skill-record.ts';
import { createTriggerMatcher, matchTriggers } from './match-triggers.ts';

const skill = (name: string, triggers?: unknown) =>
  ({
    name,
    path: `/${name}/SKILL.md`,
    frontmatter: triggers === undefined ? {} : { triggers },
  }) as SkillRecord;

const match = async (text: string, ...skills: SkillRecord[]) =>
  (await matchTriggers(text, skills)).map(({ skill: { name }, score, reasons }) => ({
    name,
    score,
    reasons,
  }));

describe('matchTriggers', () => {
  test('scores and explains: name, keyword, verb and pattern', async () => {
    const greet = skill('greeter', {
      keywords: ['hello', 'good morning'],
      verbs: ['wave'],
      patterns: ['greet\\s+\\w+'],
    });
    expect(await match('Good  morning! Say hello, keep waving and GREET Anna.', greet)).toEqual([
      {
        name: 'greeter',
        score: 0.986,
        reasons: [
          { kind: 'keyword', value: 'good morning', matched: 'Good  morning' },
          { kind: 'keyword', value: 'hello', matched: 'hello' },
          { kind: 'verb', value: 'wave', matched: 'waving' },
          { kind: 'pattern', value: 'greet\\s+\\w+', matched: 'GREET Anna' },
        ],
      },
    ]);
  });

  test('the name is always a keyword, whole or in words', async () => {
    const reasons = (matched: string) => [{ kind: 'name', value: 'pdf-tools', matched }];
    for (const [text, matched] of [
      ['use pdf-tools', 'pdf-tools'],
      ['My PDF tool broke', 'PDF tool'],
      ['pdf_tools', 'pdf_tools'],
    ] as const)
      expect(await match(text, skill('pdf-tools'))).toEqual([
        { name: 'pdf-tools', score: 0.9, reasons: reasons(matched) },
      ]);
    expect(await match('pdf and other tools', skill('pdf-tools'))).toEqual([]);
  });

  test('best first; stop words do not count', async () => {
    const found = await match(
      'how do I deploy this',
      skill('how'),
      skill('deploy'),
      skill('do', { verbs: 'deploys' }),
    );
    expect(found.map(({ name, score }) => [name, score])).toEqual([
      ['deploy', 0.7],
      ['do', 0.335],
      ['how', 0.05],
    ]);
  });

  test('languages without spaces are searched inside', async () => {
    expect(await match('请帮我部署应用程序', skill('deploy', { keywords: ['部署'] }))).toEqual([
      {
        name: 'deploy',
        score: 0.6,
        reasons: [{ kind: 'keyword', value: '部署', matched: '请帮我部署应用程序' }],
      },
    ]);
  });

  test('no text, no matches', async () => {
    expect(await match('', skill('a'))).toEqual([]);
    expect(await match('a')).toEqual([]);
    expect(await match('!!!', skill('x', { keywords: ['', '???'] }))).toEqual([]);
  });

  test('a bad list or pattern does not affect the others', async () => {
    const odd = skill('odd', {
      keywords: 'alpha, beta',
      verbs: { no: 1 },
      patterns: ['(', 'gam+a', '(?=x)y'],
    });
    expect((await match('beta gamma', odd)).map(({ reasons }) => reasons.map(({ value }) => value))).toEqual([
      ['beta', 'gam+a'],
    ]);
    expect(await match('alpha', skill('odd', 7))).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a list', ['alpha', 'flow chart']],
    ['a string', 'alpha, flow chart'],
    ['a list with an invalid entry', [{ no: 1 }, 'flow chart']],
  ])('%s in place of the mapping counts as keywords', async (_, triggers) => {
    expect(await match('draw a flow chart', skill('lists', triggers))).toEqual([
      {
        name: 'lists',
        score: 0.75,
        reasons: [{ kind: 'keyword', value: 'flow chart', matched: 'flow chart' }],
      },
    ]);
  });

  test('^ and $ match at line ends', async () => {
    const lines = skill('lines', { patterns: ['^fix: .*!$'] });
    expect((await match('Hello,\nFIX: now!\nBye.', lines)).map(({ reasons }) => reasons)).toEqual([
      [{ kind: 'pattern', value: '^fix: .*!$', matched: 'FIX: now!' }],
    ]);
  });

  test('patterns that hang a backtracking engine are harmless', async () => {
    const evil = skill('evil', { patterns: ['(a+)+b$', '(a|aa)+c', '(.*)*d'] });
    expect(await match(`${'a'.repeat(20_000)}!`, evil)).toEqual([]);
  });

  test('patterns beyond the limit of one skill are ignored, and do not affect other skills', async () => {
    const crowd = skill('crowd', { patterns: [...Array(50).fill('zebra'), 'apple'] });
    const giant = skill('giant', { patterns: ['(?:.{100}){9}.{200}', '[ap]{3}'] });
    const plain = skill('plain', { patterns: ['appl.'] });
    expect(await match(`an apple ${'x'.repeat(2000)}`, crowd, giant, plain)).toEqual([
      { name: 'giant', score: 0.8, reasons: [{ kind: 'pattern', value: '[ap]{3}', matched: 'app' }] },
      { name: 'plain', score: 0.8, reasons: [{ kind: 'pattern', value: 'appl.', matched: 'apple' }] },
    ]);
  });

  test('the larger all patterns are together, the less of a message is searched', async () => {
    const large = Array.from({ length: 300 }, (_, number) =>
      skill(`s${number}`, { patterns: ['[ab].{900}$'] }),
    );
    const apple = skill('fruit', { patterns: ['apple'] });
    const names = async (text: string) => (await match(text, apple, ...large)).map(({ name }) => name);
    expect(await names(`apple ${'ab '.repeat(20)}`)).toEqual(['fruit']);
    expect(await names(`${'ab '.repeat(20_000)}apple`)).toEqual([]);
  });

  test('the keywords of ten thousand skills form one tree', async () => {
    const skills = Array.from({ length: 10_000 }, (_, index) =>
      skill(`skill-${index}`, { keywords: [`word${index}`, `two words${index}`, 'shared'] }),
    );
    const matcher = await createTriggerMatcher(skills);
    expect(matcher.match('please use two words77 and word78').map(({ skill: { name } }) => name)).toEqual([
      'skill-77',
      'skill-78',
    ]);
    expect(matcher.match('shared', { limit: 3 }).map(({ skill: { name } }) => name)).toEqual([
      'skill-0',
      'skill-1',
      'skill-10',
    ]);
  });
});
