import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import type { TestReport } from './test-report.ts';

const cheese = skillText(
  'cheese',
  '# Cheese\n\nHow to make it.\n\n## Rennet and curd\n\nAdd rennet at 32 degrees.\n\n## Ageing a wheel\n\nTurn it daily.\n',
  'Makes cheese from milk. Use when the user wants to curdle milk, age a wheel of cheese, or choose rennet.',
);
const bread = skillText('bread', '# Bread\n', 'Bakes bread. Use for dough, yeast and ovens.');
const base = { 'skills/cheese/SKILL.md': cheese, 'skills/bread/SKILL.md': bread };
const json = (value: unknown) => `${JSON.stringify(value)}\n`;

async function report(files: Record<string, string>, words: string[] = []) {
  const world = makeWorld({ ...base, ...files });
  const result = await world.run(['test', ...words, '--json']);
  return { world, status: result.status, report: result.json() as TestReport };
}

describe('formats', () => {
  test('requests of other tools, at the root and in evals/, and ours with the skill that should win', async () => {
    const { status, report: found } = await report({
      'skills/cheese/eval_queries.json': json([
        { query: 'curdle this milk', should_trigger: true, note: 'other fields are left alone' },
      ]),
      'skills/cheese/evals/eval_queries.json': json([
        { query: 'my dough does not rise', should_trigger: false, skill: 'bread' },
        { query: 'repair a bicycle', should_trigger: false },
      ]),
    });
    expect(status).toBe(0);
    expect(found.skills.find(({ name }) => name === 'cheese')!.queries).toMatchObject([
      { query: 'curdle this milk', source: 'eval_queries.json', position: 1, passed: true, rank: 1 },
      { query: 'my dough does not rise', source: 'evals/eval_queries.json', position: 1, passed: true },
      { query: 'repair a bicycle', source: 'evals/eval_queries.json', position: 2, passed: true, rank: null },
    ]);
  });

  test('tasks with assertions or expectations are counted, and said to be not run', async () => {
    const world = makeWorld({
      ...base,
      'skills/cheese/evals/evals.json': json({
        skill_name: 'cheese',
        evals: [
          { id: 1, prompt: 'Make cheese', expected_output: 'a plan', assertions: ['names rennet'] },
          { id: 'two', prompt: 'Age it', expectations: ['says how long'], files: [] },
        ],
      }),
    });
    expect(await world.run(['test'])).toMatchObject({
      status: 1,
      stdout:
        'cheese  nothing was run that counts  2 tasks for a model not run\n0 passed, 0 failed; 2 skills competed\n',
    });
  });

  test.each([
    ['invalid JSON', '{', /^cannot use a case in 'evals\/questions\.json': .*JSON/],
    ['not a list', '{}', /expected a list of cases$/],
    ['a case without a section', '[{"question":"Why?"}]', /case 1: section: /],
    ['a case that is not an object', '[null]', /case 1: /],
    ['a binary file', '\0\0\0', /cannot use a case in/],
    ['a deep file', '['.repeat(100_000), /cannot use a case in/],
    ['a huge file', `["${'x'.repeat(5_000_000)}"]`, /cannot use a case in/],
  ])('%s is a problem, not a crash', async (_, content, message) => {
    const { status, report: found } = await report({ 'skills/cheese/evals/questions.json': content }, [
      'skills/cheese',
    ]);
    expect([status, found.skills[0]!.problems]).toEqual([1, [expect.stringMatching(message)]]);
  });

  test('too many cases are cut, with a problem', async () => {
    const cases = Array.from({ length: 1001 }, () => ({ query: 'curdle milk', should_trigger: true }));
    const { report: found } = await report({ 'skills/cheese/eval_queries.json': json(cases) }, [
      'skills/cheese',
    ]);
    expect([found.passed, found.skills[0]!.problems]).toEqual([
      1000,
      ["cannot use a case in 'eval_queries.json': only the first 1000 of 1001 cases are run"],
    ]);
  });

  test('a file that links out of the skill is not read', async () => {
    const world = makeWorld({ ...base, 'outside.json': json([{ query: 'secret', should_trigger: true }]) });
    symlinkSync(join(world.project, 'outside.json'), join(world.project, 'skills/cheese/eval_queries.json'));
    const { status, stdout } = await world.run(['test', 'skills/cheese']);
    expect([status, stdout]).toEqual([1, expect.not.stringContaining('secret')]);
  });
});

describe('files of other tools', () => {
  const list = json([
    { query: 'curdle this milk', should_trigger: true },
    { query: 'repair a bicycle', should_trigger: false },
  ]);
  const csv = 'id,should_trigger,prompt\n1,true,"curdle, or ""set"", this milk"\n2,false,repair a bicycle\n';
  const yaml =
    '- prompt: curdle this milk\n  should_trigger: true\n- prompt: repair\n  should_trigger: false\n';
  const documents =
    '---\nprompt: curdle this milk\nshould_trigger: true\n---\nprompt: repair\nshould_trigger: false\n';
  const lists = yaml.replace('- prompt: repair', '---\n- prompt: repair');
  const lines =
    '{"prompt":"curdle this milk","shouldTrigger":true}\n{"prompt":"repair","shouldTrigger":false}\n';

  test.each([
    ['evals/trigger-evals.json', list],
    ['evals/trigger-eval.json', list],
    ['evals/trigger_eval.json', list],
    ['evals/triggers.json', list],
    ['evals/trigger_queries.json', list],
    ['evals/trigger.json', list],
    ['evals/eval-set.json', list],
    ['evals/triggering.json', list],
    ['evals/EVALS.json', list],
    ['evals/cheese-triggering.eval.json', list],
    ['evals/test-triggers.json', list],
    ['evals/queries.json', list],
    ['evals/triggers/queries.json', list],
    ['evals/triggers.json', `\uFEFF${list}`],
    ['evals/trigger-prompts.csv', csv],
    ['evals/trigger_dataset.yaml', yaml],
    ['evals/trigger-cases.yaml', documents],
    ['evals/trigger-cases.yml', lists],
    ['evals/trigger-evals.jsonl', lines],
    ['trigger-evals.json', list],
    ['tests/trigger-cases.json', list],
  ])('%s', async (file, content) => {
    const { status, report: found } = await report({ [`skills/cheese/${file}`]: content }, ['skills/cheese']);
    expect([status, found.passed, found.skills[0]!.queries.map(({ source }) => source)]).toEqual([
      0,
      2,
      [file, file],
    ]);
  });

  test.each([
    ['triggers.json', '[{"query":"x"}]', 'case 1: it does not say whether the skill should trigger'],
    ['trigger-evals.json', '{"rows":[]}', 'no case was understood'],
    ['trigger-evals.json', '[]', 'no case was understood'],
    ['trigger-evals.yaml', 'a: [', ''],
    ['evals.json', '{"tests":3}', 'no case was understood'],
    ['cases.json', '{"rows":[{"ask":"x"}]}', 'no case was understood'],
  ])('%s that is not understood is named', async (file, content, why) => {
    const { status, report: found } = await report({ [`skills/cheese/evals/${file}`]: content }, [
      'skills/cheese',
    ]);
    expect([status, found.skills[0]!.problems]).toEqual([
      1,
      [expect.stringContaining(`cannot use a case in 'evals/${file}': ${why}`)],
    ]);
  });

  const yes = 'curdle this milk';
  const no = 'repair a bicycle';
  const task = { id: 1, prompt: yes, assertions: ['a'] };
  const own = 'skills/cheese/evals';

  test.each<[string, string, unknown, number, number]>([
    [
      'positive',
      `${own}/triggers.json`,
      [
        { query: yes, positive: true },
        { query: no, positive: false },
      ],
      2,
      0,
    ],
    [
      'a type',
      `${own}/triggers.json`,
      [
        { query: yes, type: 'positive' },
        { query: no, type: 'negative' },
      ],
      2,
      0,
    ],
    [
      'a category',
      `${own}/triggers.json`,
      [
        { query: yes, category: 'should-trigger' },
        { query: no, category: 'should-not-trigger' },
      ],
      2,
      0,
    ],
    ['the opposite', `${own}/triggers.json`, [{ query: no, should_not_trigger: true }], 1, 0],
    [
      'another verb',
      `${own}/triggers.json`,
      [
        { query: yes, activates: true },
        { query: no, expected_activation: false },
      ],
      2,
      0,
    ],
    ['an expectation', `${own}/triggers.json`, { prompts: [{ prompt: no, expectation: 'skip' }] }, 1, 0],
    [
      'a conversation',
      `${own}/triggers.json`,
      [{ messages: [{ role: 'user', content: yes }], should_trigger: true }],
      1,
      0,
    ],
    [
      'objects in a case',
      `${own}/triggers.json`,
      [{ input: { prompt: yes }, expected: { should_trigger: true } }],
      1,
      0,
    ],
    ['variables', `${own}/triggers.json`, { tests: [{ vars: { query: yes }, should_trigger: true }] }, 1, 0],
    [
      'groups',
      `${own}/triggers.json`,
      { groups: [{ name: 'a', queries: [{ q: yes, should: true }] }] },
      1,
      0,
    ],
    ['requests as keys', `${own}/triggers.json`, { [yes]: true, [no]: false }, 2, 0],
    [
      'pairs',
      `${own}/triggers.json`,
      [
        [yes, true],
        [no, false],
      ],
      2,
      0,
    ],
    ['both lists', `${own}/triggers.json`, { triggers: [yes], non_triggers: [no] }, 2, 0],
    ['tasks and requests', `${own}/evals.json`, { evals: [task], trigger_evals: JSON.parse(list) }, 2, 1],
    [
      'one task in a file',
      `${own}/eval-1.json`,
      { skills: ['cheese'], query: yes, files: [], expected_behavior: ['a'] },
      0,
      1,
    ],
    ['a task at the root', 'evals/evals.json', { skill_name: 'cheese', evals: [task] }, 0, 1],
    ['a file at the root', 'evals.json', { skill_name: 'cheese', evals: [task] }, 0, 1],
    ['tests at the root', 'tests/trigger-evals.json', { skill: 'cheese', queries: JSON.parse(list) }, 2, 0],
    ['the name of a file', 'evals/cheese.json', JSON.parse(list), 2, 0],
    ['a list per skill', 'evals/triggers.json', { cheese: JSON.parse(list), bread: [] }, 2, 0],
    ['texts per skill', 'evals/triggers.json', { cheese: [yes], bread: ['dough'] }, 1, 0],
    [
      'a list of skills',
      'evals/triggers.json',
      { skills: [{ name: 'cheese', should_trigger: [yes], should_not_trigger: [no] }] },
      2,
      0,
    ],
    ['the word of a verb', `${own}/triggers.json`, { activates: [yes], does_not_activate: [no] }, 2, 0],
    [
      'when to use it',
      `${own}/triggers.json`,
      { use_when: [yes], do_not_use_when: [no], used_models: ['x'] },
      2,
      0,
    ],
    [
      'one verdict for several',
      `${own}/triggers.json`,
      [{ prompts: [yes, 'set this milk'], type: 'positive' }],
      2,
      0,
    ],
    ['the name of a side', `${own}/should_not_trigger.json`, [no], 1, 0],
    ['two words, and one', `${own}/triggers.json`, { should_trigger: ['curdle milk', 'curdle'] }, 2, 0],
    [
      'a reason beside the verdict',
      `${own}/triggers.json`,
      [{ query: yes, should_trigger: true, should_trigger_reason: 'it is about milk' }],
      1,
      0,
    ],
    [
      'skills on both sides',
      'evals/triggers.json',
      [
        { query: yes, should_trigger: ['cheese'], should_not_trigger: ['bread'] },
        { query: no, should_trigger: [], should_not_trigger: ['cheese'] },
      ],
      2,
      0,
    ],
    [
      'the skill in the metadata',
      'evals/triggers.json',
      { metadata: { skill: 'cheese' }, queries: JSON.parse(list) },
      2,
      0,
    ],
    ['a skill in the result', 'evals/triggers.json', [{ input: yes, output: { skill: 'cheese' } }], 1, 0],
    [
      'an intent',
      'evals/triggers.json',
      [
        { utterance: yes, expected_intent: 'cheese' },
        { utterance: 'dough', expected_intent: 'bread' },
      ],
      1,
      0,
    ],
  ])('%s: %s', async (_, file, value, passed, tasks) => {
    const { report: found } = await report({ [file]: json(value) }, ['skills/cheese']);
    expect([found.passed, found.skills[0]!.tasks, found.skills[0]!.problems]).toEqual([passed, tasks, []]);
  });

  test('tables with tabs and semicolons', async () => {
    const { report: found } = await report(
      {
        [`${own}/triggers.tsv`]: `query\tshould_trigger\n${yes}\ttrue\n`,
        [`${own}/trigger-prompts.csv`]: `prompt;should_trigger\n${no};false\n`,
      },
      ['skills/cheese'],
    );
    expect([found.passed, found.skills[0]!.problems]).toEqual([2, []]);
  });

  test('other formats are named, and so are cases of another skill', async () => {
    const other = await report({ [`${own}/triggers.toml`]: '[[queries]]' }, ['skills/cheese']);
    expect(other.report.skills[0]!.problems).toEqual([
      expect.stringContaining("'evals/triggers.toml': no case was understood"),
    ]);
    const copied = await report({ [`${own}/evals.json`]: json({ skill_name: 'bread', evals: [task] }) }, [
      'skills/cheese',
    ]);
    expect(copied.report.skills[0]!.problems).toEqual([
      expect.stringContaining("'evals/evals.json': its cases are about bread"),
    ]);
  });

  test('a file about several skills is a problem once', async () => {
    const { status, report: found } = await report({ 'evals/triggers.json': '{"rows":[]}' }, ['skills']);
    expect([status, found.skills.flatMap(({ problems }) => problems)]).toEqual([
      1,
      [expect.stringContaining("'evals/triggers.json': no case was understood")],
    ]);
  });

  test('results, fixtures and other files beside them are left alone', async () => {
    const { status, report: found } = await report(
      {
        'skills/cheese/evals/triggers.json': list,
        'skills/cheese/evals/results.json': list,
        'skills/cheese/evals/sample.json': '{"rows":[{"id":1}]}',
        'skills/cheese/evals/files/trigger.json': list,
        'skills/cheese/triggers.json': '{"on":["push"]}',
        'skills/cheese/tests/routing.yaml': 'a: [',
      },
      ['skills/cheese'],
    );
    expect([status, found.passed, found.skills[0]!.problems]).toEqual([0, 2, []]);
  });

  test.each<[string, Record<string, string>, number]>([
    [
      'the skill that the file names',
      { 'evals/triggers.json': json({ skill_name: 'cheese', queries: JSON.parse(list) }) },
      2,
    ],
    ['the folder of the skill', { 'evals/cheese/triggers.json': list }, 2],
    ['the folder of all skills', { 'evals/skills/cheese/triggers.json': list }, 2],
    ['the beginning of the file name', { 'evals/cheese-triggers.json': list }, 2],
    [
      'a table of skills',
      {
        'evals/triggers.json': json({
          cheese: { positive: ['curdle milk'], negative: ['dough'] },
          bread: { positive: ['dough'] },
        }),
      },
      2,
    ],
    [
      'the skill that each case expects',
      {
        'evals/triggering.json': json({
          cases: [
            { prompt: 'curdle milk', expected_skill: 'cheese' },
            { prompt: 'yeast dough', expected_skill: 'bread' },
            { prompt: 'repair a bicycle', expected_skill: null },
          ],
        }),
      },
      2,
    ],
  ])('at the root of the repository: %s', async (_, files, count) => {
    const { status, report: found } = await report(files, ['skills/cheese']);
    expect([status, found.passed, found.skills[0]!.problems]).toEqual([0, count, []]);
  });

  test('at the root of the repository: the only skill', async () => {
    const world = makeWorld({ 'plugin/skills/cheese/SKILL.md': cheese, 'evals/trigger-evals.json': list });
    expect(await world.run(['test', 'plugin/skills/cheese'])).toMatchObject({
      status: 0,
      stdout: 'cheese  2 of 2 passed\n2 passed, 0 failed; 1 skill competed\n',
    });
  });

  test('a file that does not say which skill it is about, and a skill that does not exist', async () => {
    const { status, report: found } = await report({ 'evals/triggers.json': list }, ['skills']);
    expect([status, found.skills.flatMap(({ problems }) => problems)]).toEqual([
      1,
      [expect.stringContaining("'evals/triggers.json': it does not say which skill it is about")],
    ]);
    const wrong = json([{ query: 'curdle milk', should_trigger: false, skill: 'butter' }]);
    const other = await report({ 'skills/cheese/evals/triggers.json': wrong }, ['skills/cheese']);
    expect(other.report.skills[0]!.problems).toEqual([
      expect.stringContaining("case 1 names the skill 'butter', which does not exist here"),
    ]);
  });
});

describe('--all', () => {
  const requests = {
    'skills/cheese/evals/triggers.json': json([
      { query: 'curdle this milk', should_trigger: true },
      { query: 'yeast for the ovens', should_trigger: true },
      { query: 'my dough does not rise', should_trigger: false, skill: 'bread' },
    ]),
    'skills/bread/evals/triggers.json': json([{ query: 'knead dough with yeast', should_trigger: true }]),
  };

  test('counts which skill is chosen in place of which', async () => {
    const { report: found } = await report(requests, ['skills', '--all']);
    expect(found.confusion).toMatchObject({
      requests: 4,
      passed: 3,
      precision: 0.75,
      recall: 0.75,
      skills: [
        { skill: 'bread', requests: 2, chosen: 2, wrongly_chosen: 1, precision: 0.6667, recall: 1 },
        { skill: 'cheese', requests: 2, chosen: 1, wrongly_chosen: 0, precision: 1, recall: 0.5 },
      ],
      cells: [
        { expected: 'bread', chosen: 'bread', requests: 2 },
        { expected: 'cheese', chosen: 'bread', requests: 1 },
        { expected: 'cheese', chosen: 'cheese', requests: 1 },
      ],
    });
    expect(found.trend).toBeNull();
  });

  test('compares with the last run', async () => {
    const world = makeWorld({ ...base, ...requests });
    await world.run(['test', 'skills', '--all']);
    world.write({ 'skills/bread/SKILL.md': skillText('bread', '# Bread\n', 'Bakes bread in ovens.') });
    const { stdout } = await world.run(['test', 'skills', '--all']);
    expect(stdout).toMatch(
      /^since \S+ \S+ \(precision 75 %, recall 75 %\): 0 newly passed, 2 newly failed$/m,
    );
    expect(stdout).toMatch(/^ {2}newly failed {2}bread {2}knead dough with yeast$/m);
  });
});

test('questions are asked of a copy: what agents see of the skill stays as it was built', async () => {
  const world = makeWorld({
    '.claude': { directory: true },
    '.skillc/skills/cheese/SKILL.md': `${cheese}${'Stir it slowly with a spoon, and wait.\n'.repeat(60)}\nRun scripts/warm.sh first.\n`,
    '.skillc/skills/cheese/scripts/warm.sh': 'echo warm\n',
    '.skillc/skills/cheese/evals/questions.json': json([
      { question: 'How warm is the milk for rennet?', section: 'Rennet and curd', file: 'SKILL.md' },
    ]),
  });
  const auto = { env: { SKC_BUILD_DEPLOY: 'auto' } };
  await world.run(['build', '--all', '--target', 'claude', '--scope', 'project'], auto);
  const seen = async () => {
    const { skills } = (await world.run(['list', '--json'])).json() as { skills: Record<string, unknown>[] };
    return skills.map(({ form, seen_by }) => ({ form, seen_by }));
  };
  const built = world.read('.skillc/runtime/cheese/SKILL.md');
  expect(await seen()).toEqual([{ form: 'files', seen_by: ['claude'] }]);
  const { status } = await world.run(['test', 'cheese'], auto);
  expect([status, world.read('.skillc/runtime/cheese/SKILL.md')]).toEqual([0, built]);
  expect(await seen()).toEqual([{ form: 'files', seen_by: ['claude'] }]);
});

describe('--improve', () => {
  const tea = skillText('tea', '# Tea\n', 'Helps with drinks.');
  const cases = json([
    { query: 'how long should green tea steep?', should_trigger: true, split: 'train' },
    { query: 'steep oolong leaves at which temperature', should_trigger: true, split: 'train' },
    { query: 'steep matcha powder in cold water', should_trigger: true, split: 'train' },
    { query: 'how long to steep white leaves', should_trigger: true, split: 'test' },
    { query: 'temperature of the swimming pool', should_trigger: false, split: 'train' },
    { query: 'a cold water swimming course', should_trigger: false, split: 'test' },
  ]);
  const files = { 'skills/tea/SKILL.md': tea, 'skills/tea/evals/triggers.json': cases };

  test('proposes words of lost requests, and is measured on requests it has not seen', async () => {
    const world = makeWorld(files);
    const result = await world.run(['test', 'skills/tea', '--improve', '--json']);
    expect((result.json() as TestReport).improved).toEqual([
      {
        skill: 'tea',
        path: 'skills/tea',
        by: 'words',
        before: 'Helps with drinks.',
        after: 'Helps with drinks. Also use for steep.',
        added: ['steep'],
        seen: { before: { passed: 2, requests: 4 }, after: { passed: 4, requests: 4 } },
        held_out: { before: { passed: 1, requests: 2 }, after: { passed: 2, requests: 2 } },
        written: false,
      },
    ]);
    expect(world.read('skills/tea/SKILL.md')).toBe(tea);
    await world.run(['test', 'skills/tea', '--improve', '--apply']);
    expect(world.read('skills/tea/SKILL.md')).toContain('Also use for steep.');
    expect((await world.run(['test', 'skills/tea', '--improve'])).stdout).toContain(
      'tea  no better description found',
    );
  });

  test('never takes the request of another skill', async () => {
    const world = makeWorld({
      ...files,
      'skills/steep/SKILL.md': skillText('bags', '# Bags\n', 'Sorts used bags by how long they steep.'),
      'skills/steep/evals/triggers.json': json([{ query: 'steep the bags', should_trigger: true }]),
    });
    const result = await world.run(['test', 'skills', '--improve', '--json']);
    const { improved, skills } = result.json() as TestReport;
    expect(skills.find(({ name }) => name === 'bags')!.queries).toMatchObject([{ passed: true }]);
    const { after } = improved.find(({ skill }) => skill === 'tea')!;
    world.write({ 'skills/tea/SKILL.md': skillText('tea', '# Tea\n', after ?? '') });
    const again = (await world.run(['test', 'skills', '--json'])).json() as TestReport;
    expect(again.skills.find(({ name }) => name === 'bags')!.queries).toMatchObject([{ passed: true }]);
  });

  test('an installed skill is not written', async () => {
    const world = makeWorld(files);
    await world.run(['install', './skills/tea', '--yes']);
    for (const words of [['--write'], ['--improve', '--apply']]) {
      const { status, stderr } = await world.run(['test', 'tea', ...words]);
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining("and 'tea' is installed: an update would undo it"),
      ]);
    }
  });
});

describe('which skill wins', () => {
  test('a lost request names the winner and its words', async () => {
    const { status, report: found } = await report({
      'skills/cheese/eval_queries.json': json([{ query: 'yeast for the ovens', should_trigger: true }]),
    });
    expect([status, found.failed]).toEqual([1, 1]);
    expect(found.skills.find(({ name }) => name === 'cheese')!.queries[0]).toMatchObject({
      passed: false,
      rank: null,
      rivals: [
        {
          skill: 'bread',
          words: expect.arrayContaining([{ word: 'yeast', field: 'description' }]),
        },
      ],
      why: expect.stringMatching(
        /^bread wins because of 'yeast' \(description\), 'ovens' \(description\); the description of cheese has no word of the request$/,
      ),
    });
  });

  test('a request it must not win', async () => {
    const { report: found } = await report(
      { 'skills/cheese/eval_queries.json': json([{ query: 'choose rennet', should_trigger: false }]) },
      ['skills/cheese'],
    );
    expect(found.skills[0]!.queries[0]).toMatchObject({
      passed: false,
      why: expect.stringMatching(/^cheese is chosen because of .*'rennet'/),
    });
  });

  test('more skills compete with --against', async () => {
    const files = {
      'skills/cheese/eval_queries.json': json([{ query: 'choose rennet', should_trigger: true }]),
      'other/rennet/SKILL.md': skillText(
        'rennet',
        '# Rennet\n',
        'Choose rennet. Use when you choose rennet.',
      ),
    };
    expect((await report(files, ['skills/cheese'])).status).toBe(0);
    expect((await report(files, ['skills/cheese', '--against', 'other'])).report).toMatchObject({
      failed: 1,
      rivals: 2,
    });
  });
});

describe('is the answer found', () => {
  test('rank and tokens', async () => {
    const { status, report: found } = await report(
      {
        'skills/cheese/evals/questions.json': json([
          { question: 'how warm must the milk be for rennet', section: 'Rennet and curd' },
        ]),
      },
      ['skills/cheese'],
    );
    expect(status).toBe(0);
    expect(found.skills[0]!.questions).toMatchObject([
      { passed: true, section: 'Rennet and curd', file: null, tokens: expect.any(Number), why: '' },
    ]);
  });

  test('a section that does not exist', async () => {
    const { report: found } = await report(
      { 'skills/cheese/evals/questions.json': json([{ question: 'Which?', section: 'Nowhere' }]) },
      ['skills/cheese'],
    );
    expect(found.skills[0]!.questions[0]).toMatchObject({
      passed: false,
      why: "the skill has no section 'Nowhere'",
    });
  });

  test('nothing is left in the temporary directory or the home of the user', async () => {
    const { world } = await report({
      'skills/cheese/evals/questions.json': json([{ question: 'rennet', section: 'Rennet and curd' }]),
    });
    expect(readdirSync(world.home)).toEqual([]);
  });
});

describe('--write', () => {
  const written = ['skills/cheese/evals/eval_queries.json', 'skills/cheese/evals/questions.json'];

  test('proposes cases, which are run but do not count', async () => {
    const world = makeWorld(base);
    const { status, stdout } = await world.run(['test', 'skills/cheese', '--write']);
    expect([status, stdout.split('\n').filter((line) => line.startsWith('wrote'))]).toEqual([
      0,
      [`wrote ${written[0]}: 3 new cases`, `wrote ${written[1]}: 2 new cases`],
    ]);
    expect(JSON.parse(world.read(written[0]!))).toEqual([
      { query: 'the user wants to curdle milk', should_trigger: true, proposed: true },
      { query: 'age a wheel of cheese', should_trigger: true, proposed: true },
      { query: 'choose rennet', should_trigger: true, proposed: true },
    ]);
    expect(JSON.parse(world.read(written[1]!))).toEqual([
      { question: 'Rennet and curd', section: 'Rennet and curd', file: 'SKILL.md', proposed: true },
      { question: 'Ageing a wheel', section: 'Ageing a wheel', file: 'SKILL.md', proposed: true },
    ]);
    expect((await world.run(['test', 'skills/cheese', '--json'])).json()).toMatchObject({
      passed: 0,
      failed: 0,
      proposed: 5,
    });
  });

  test('keeps existing cases and adds each new one once', async () => {
    const own = [{ query: 'Choose  rennet', should_trigger: true, note: 'mine' }];
    const world = makeWorld({ ...base, 'skills/cheese/eval_queries.json': json(own) });
    await world.run(['test', 'skills/cheese', '--write']);
    const first = world.read('skills/cheese/eval_queries.json');
    expect(JSON.parse(first)).toEqual([...own, expect.anything(), expect.anything()]);
    const again = await world.run(['test', 'skills/cheese', '--write']);
    expect([again.stdout.includes('wrote'), world.read('skills/cheese/eval_queries.json')]).toEqual([
      false,
      first,
    ]);
  });

  test('learns from the searches of agents', async () => {
    const world = makeWorld({ ...base, '.skillc/skills/cheese/SKILL.md': cheese });
    const env = { SKC_NO_LOG: '', SKC_RUN_ID: 'one' };
    await world.run(['build', 'cheese', '--target', 'none'], { env });
    await world.run(['search', 'cheese', 'xylophone'], { env });
    await world.run(['search', 'cheese', 'turn daily'], { env });
    await world.run(['show', 'cheese', '-s', 'Ageing a wheel', '-s', 'Rennet and curd'], { env });
    const result = await world.run(['test', 'cheese', '--write', '--dry-run', '--json']);
    const [{ written: files }] = (result.json() as TestReport).skills as [TestReport['skills'][number]];
    expect(files.map(({ added }) => added.filter((text) => /xylophone|turn/.test(text)))).toEqual([
      ['xylophone'],
      ['turn daily'],
    ]);
  });

  test('proposes no search that is a case already, and no section that is gone', async () => {
    const world = makeWorld({ ...base, '.skillc/skills/cheese/SKILL.md': cheese });
    const env = { SKC_NO_LOG: '', SKC_RUN_ID: 'one' };
    await world.run(['build', 'cheese', '--target', 'none'], { env });
    await world.run(['search', 'cheese', 'xylophone'], { env });
    await world.run(['search', 'cheese', 'turn daily'], { env });
    await world.run(['show', 'cheese', '-s', 'Ageing a wheel'], { env });
    world.write({
      '.skillc/skills/cheese/SKILL.md': cheese.replace('## Ageing a wheel', '## Turning'),
      '.skillc/skills/cheese/eval_queries.json': json([{ query: 'Xylophone', should_trigger: false }]),
    });
    const result = await world.run(['test', 'cheese', '--write', '--dry-run', '--json']);
    const [{ written: files }] = (result.json() as TestReport).skills as [TestReport['skills'][number]];
    expect(files).toEqual([
      {
        file: 'eval_queries.json',
        added: ['the user wants to curdle milk', 'age a wheel of cheese', 'choose rennet'],
      },
      { file: 'evals/questions.json', added: ['Rennet and curd'] },
    ]);
  });

  test('--dry-run writes nothing, and belongs to --write', async () => {
    const world = makeWorld(base);
    const before = world.list(world.project);
    const { stdout } = await world.run(['test', 'skills/cheese', '--write', '--dry-run']);
    expect(stdout).toContain(`would write ${written[0]}: 3 new cases\n`);
    expect(world.list(world.project)).toEqual(before);
    expect((await world.run(['test', '--dry-run'])).stderr).toContain(
      '--dry-run belongs to --write or --model',
    );
  });

  test('never writes through a link, or over a file it cannot read', async () => {
    const world = makeWorld({ ...base, 'elsewhere/keep.md': 'x' });
    symlinkSync(join(world.project, 'elsewhere'), join(world.project, 'skills/cheese/evals'));
    expect((await world.run(['test', 'skills/cheese', '--write'])).stderr).toMatch(/error\[E01/);
    expect(readdirSync(join(world.project, 'elsewhere'))).toEqual(['keep.md']);
    const other = makeWorld({ ...base, [written[0]!]: '{ "mine": ' });
    expect((await other.run(['test', 'skills/cheese', '--write'])).stderr).toContain('error[E015]');
    expect(other.read(written[0]!)).toBe('{ "mine": ');
  });
});

describe('reports', () => {
  const hostile = { query: 'yeast <b>&"\u0001|\n::error::', should_trigger: true };
  const files = {
    ...base,
    'skills/cheese/eval_queries.json': json([hostile, { query: 'curdle milk', should_trigger: true }]),
  };

  test('JUnit is well-formed and counts', async () => {
    const { status, stdout } = await makeWorld(files).run(['test', '--format', 'junit']);
    expect(status).toBe(1);
    expect(checkXml(stdout)).toEqual(['testsuites', 'testsuite', 'testcase', 'failure', 'testcase']);
    expect(stdout).toContain('<testsuites name="skc test" tests="2" failures="1" errors="0">');
  });

  test('Markdown and workflow commands stay on their lines', async () => {
    const world = makeWorld(files);
    const { stdout } = await world.run(['test', '--format', 'markdown']);
    expect(stdout.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(4);
    expect(stdout).not.toContain('<b>');
    const github = await world.run(['test', '--format', 'github']);
    expect(github.stdout.split('\n')).toEqual([
      expect.stringMatching(/^::error file=skills\/cheese\/eval_queries\.json,line=1,title=test::.*%0A/),
      '',
    ]);
  });

  test('without evals it is an error that says how to begin', async () => {
    const { status, stderr } = await makeWorld(base).run(['test']);
    expect([status, stderr]).toEqual([
      1,
      'error[E260]: no evals in this project\nhelp: let skc propose some: skc test skills/bread --write\n',
    ]);
    expect((await makeWorld(base).run(['test', 'skills/cheese'])).stderr).toBe(
      'error[E260]: no evals in skills/cheese\nhelp: let skc propose some: skc test skills/cheese --write\n',
    );
  });

  test('a skill that cannot be used says so first', async () => {
    const empty = { 'skills/empty/SKILL.md': '' };
    const alone = makeWorld(empty);
    const built = await alone.run(['build', 'skills/empty', '--import']);
    const tested = await alone.run(['test', 'skills/empty']);
    expect([tested.status, tested.stderr.split('\n', 1)]).toEqual([1, built.stderr.split('\n', 1)]);
    expect(tested.stderr).toContain('error[E011]');
    const among = await makeWorld({ ...base, ...empty }).run(['test', 'skills', '--json']);
    expect((among.json() as TestReport).skills.map(({ name, problems }) => [name, problems])).toEqual([
      ['bread', []],
      ['cheese', []],
      ['empty', [expect.stringMatching(/^E011: /)]],
    ]);
    const unnamed = await makeWorld({ ...base, ...empty, '.git': { directory: true } }).run(['test']);
    expect(unnamed.stdout).toMatch(/^empty {2}nothing was run that counts\n/);
  });
});

/** Names of the elements in order; throws when tags are not nested, or text is not escaped. */
function checkXml(text: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  const tag = /<(\/?)(\w+)((?:\s+\w+="[^"<&]*(?:&(?:amp|lt|gt|quot);[^"<&]*)*")*)\s*(\/?)>/gy;
  const [head] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/.exec(text) ?? [''];
  let at = head.length;
  while (at < text.length) {
    tag.lastIndex = at;
    const [all, closes, name, , isEmpty] = tag.exec(text) ?? [];
    if (all === undefined) throw new Error(`not well-formed at ${JSON.stringify(text.slice(at, at + 60))}`);
    if (closes) {
      if (open.pop() !== name) throw new Error(`</${name}> does not match`);
    } else {
      seen.push(name!);
      if (!isEmpty) open.push(name!);
    }
    at += all.length + /^\s*/.exec(text.slice(at + all.length))![0].length;
  }
  if (open.length > 0) throw new Error(`<${open[0]}> is not closed`);
  return seen;
}
