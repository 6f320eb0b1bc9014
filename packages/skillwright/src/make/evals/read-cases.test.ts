import { describe, expect, test } from 'vitest';
import { type EvalKind, readCases } from './read-cases.ts';

/** A request in short: what is wanted, the skills that are expected, and whom it is about. */
function queriesOf(value: unknown, kind: EvalKind = 'queries') {
  const { cases, problems } = readCases(value, kind);
  const queries = cases.map((one) =>
    one.kind === 'query'
      ? [one.query, one.wanted ?? one.expected, ...(one.owner === undefined ? [] : [one.owner])]
      : one.kind,
  );
  return problems.length === 0 ? queries : { queries, problems };
}

const both = [
  ['yes', true],
  ['no', false],
];

describe('requests', () => {
  test.each([
    [
      'query',
      [
        { query: 'yes', should_trigger: true, note: 'x' },
        { query: 'no', should_trigger: false, why: 'x' },
      ],
    ],
    [
      'prompt',
      [
        { prompt: 'yes', should_trigger: true },
        { prompt: 'no', should_trigger: false, split: 'test' },
      ],
    ],
    [
      'camel case',
      [
        { prompt: 'yes', shouldTrigger: true },
        { prompt: 'no', shouldTrigger: false },
      ],
    ],
    [
      'should_fire',
      {
        distractors: ['a skill'],
        cases: [
          { prompt: 'yes', should_fire: true },
          { prompt: 'no', should_fire: false },
        ],
      },
    ],
    [
      'expected_trigger',
      {
        version: 1,
        cases: [
          { query: 'yes', expected_trigger: true },
          { query: 'no', expected_trigger: false },
        ],
      },
    ],
    [
      'words',
      [
        { prompt: 'yes', expected: 'trigger' },
        { prompt: 'no', expected: 'no_trigger' },
      ],
    ],
    [
      'texts of a table',
      [
        { should_trigger: 'true', prompt: 'yes' },
        { should_trigger: 'false', prompt: 'no' },
      ],
    ],
    [
      'short keys',
      {
        queries: [
          { q: 'yes', should: true },
          { q: 'no', should: false },
        ],
      },
    ],
    [
      'evals',
      {
        evals: [
          { query: 'yes', should_trigger: true },
          { query: 'no', should_trigger: false, expect_skill: 'b' },
        ],
      },
    ],
    ['two lists', { should_trigger: ['yes'], should_not_trigger: ['no'] }],
    ['two short lists', { should: ['yes'], shouldNot: ['no'], decoys: [{ name: 'a', description: 'b' }] }],
    ['positive and negative', { positive: [{ query: 'yes' }], near_negatives: [{ query: 'no' }] }],
    ['a section of a larger file', { trigger_eval: { should_trigger: ['yes'], should_not_trigger: ['no'] } }],
    [
      'lists of one kind',
      { should_trigger_explicit: [{ prompt: 'yes' }], negatives: ['no'], procedure: ['a step'] },
    ],
  ])('%s', (_, value) => {
    expect(queriesOf(value)).toEqual(both);
  });

  test.each<[string, unknown, unknown]>([
    [
      'a skill for the whole file',
      { skill: 'a', queries: [{ query: 'x', should_trigger: true }] },
      [['x', true, 'a']],
    ],
    [
      'a table per skill',
      { _comment: 'x', a: { positive: ['x'], negative: ['y'] }, b: { positive: ['z'] } },
      [
        ['x', true, 'a'],
        ['y', false, 'a'],
        ['z', true, 'b'],
      ],
    ],
    [
      'the name of a skill, or none',
      [
        { prompt: 'x', expected_skill: 'a' },
        { prompt: 'y', expect: 'none' },
        { prompt: 'z', expected_skill: null },
        { prompt: 'v', expect: 'none|b' },
      ],
      [
        ['x', ['a']],
        ['y', []],
        ['z', []],
        ['v', ['b']],
      ],
    ],
    [
      'lists of skills',
      {
        scenarios: [
          { prompt: 'x', expectedSkills: [], forbiddenSkills: ['b'] },
          { request: 'y', must_pick: ['a'], distractors: ['b'] },
        ],
      },
      [
        ['x', []],
        ['y', ['a']],
      ],
    ],
  ])('%s', (_, value, expected) => {
    expect(queriesOf(value)).toEqual(expected);
  });

  test.each<[string, unknown, string[]]>([
    [
      'neither true nor false',
      [{ query: 'x', should_trigger: 'maybe' }],
      ['case 1: `should_trigger` is neither true nor false: "maybe"'],
    ],
    [
      'no verdict',
      [{ query: 'x' }],
      ['case 1: it does not say whether the skill should trigger (`should_trigger`)'],
    ],
    ['no request', [{ should_trigger: true }], ['case 1: it has no request (`query` or `prompt`)']],
    ['no case', [null], ['case 1: not a case']],
    ['an empty request', { should_trigger: [' '] }, ['case 1: the request is empty']],
  ])('%s is a problem', (_, value, problems) => {
    expect(queriesOf(value)).toEqual({ queries: [], problems });
  });

  test('a file of something else has no cases, and no problems', () => {
    expect(queriesOf({ name: 'demo', scripts: { test: 'vitest' }, files: ['a'] }, 'any')).toEqual([]);
    expect(queriesOf([{ id: 1, name: 'row' }], 'any')).toEqual([]);
  });
});

describe('tasks', () => {
  const tasksOf = (value: unknown) =>
    readCases(value, 'tasks').cases.map((one) => (one.kind === 'task' ? one.task : one.kind));

  test('assertions are texts or objects', () => {
    expect(
      tasksOf({
        skill_name: 'a',
        evals: [
          { id: 1, prompt: 'x', expected_output: 'y', assertions: ['z', { id: 'a', text: 'v' }] },
          { id: 'two', prompt: 'x', expectations: [{ type: 'contains', value: 'v' }] },
          {
            prompt: 'x',
            assertions: [
              { type: 'contains', value: 'v' },
              { type: 'length', max: 3 },
            ],
          },
          { query: 'x', files: ['a.md', { path: 'b.md' }], expected_behavior: ['y'] },
        ],
      }),
    ).toEqual([
      { id: '1', prompt: 'x', expected_output: 'y', files: [], assertions: ['z', 'v'] },
      { id: 'two', prompt: 'x', files: [], assertions: [], check: { contains: ['v'] } },
      { id: '3', prompt: 'x', files: [], assertions: ["The answer contains 'v'", 'type: length, max: 3'] },
      { id: '4', prompt: 'x', files: ['a.md', 'b.md'], assertions: ['y'] },
    ]);
  });

  test('a task that should trigger is a request, too; one that should not is not a task', () => {
    const value = {
      evals: [
        { id: 1, prompt: 'x', should_trigger: true, assertions: ['y'] },
        { id: 2, prompt: 'z', should_trigger: false, expected_output: 'declines' },
      ],
    };
    expect(readCases(value, 'tasks').cases.map((one) => [one.kind, one.position])).toEqual([
      ['query', 1],
      ['task', 1],
      ['query', 2],
    ]);
  });
});
