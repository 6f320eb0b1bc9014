import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeSharedDirectory } from '../../../test/make-directory.ts';
import { createQuizMemory, digestSkill } from '../quiz/index.ts';
import { openSkill } from '../skill/index.ts';
import { createPermissions, noneOff, noPermissions, type PermissionRules } from '../workspace/index.ts';
import { createJudge, type JudgeOptions, refusalOf, type Verdict } from './judge.ts';
import type { Actor, Law, Operation } from './standing.ts';
import { isOpenToAnyone, standingWithin } from './within.ts';

const skillText = (name: string, fields = '') =>
  `---\nname: ${name}\ndescription: D.\n${fields}---\n# ${name}\n`;
const quiz = `quiz:
  gate: true
  questions:
    - question: Which?
      options: [{ label: a, correct: true }, { label: b }]
`;

const root = makeSharedDirectory({
  'plain/SKILL.md': skillText('plain'),
  'gated/SKILL.md': skillText('gated', quiz),
  'gated/parts/plain-in-gated/SKILL.md': skillText('plain-in-gated'),
  'plain/gated-in-plain/SKILL.md': skillText('gated-in-plain', quiz),
  'plain/middle/SKILL.md': skillText('middle'),
  'plain/middle/innermost/SKILL.md': skillText('innermost'),
  'plain/middle/innermost-gated/SKILL.md': skillText('innermost-gated', quiz),
  'user-only/SKILL.md': skillText('user-only', 'disable-model-invocation: true\n'),
  'user-only/inner/SKILL.md': skillText('inner'),
  'model-only/SKILL.md': skillText('model-only', 'user-invocable: false\n'),
  'closed/SKILL.md': skillText('closed', 'disable-model-invocation: true\nuser-invocable: false\n'),
  'closed/held/SKILL.md': skillText('held'),
  'gated/.hidden/apart/SKILL.md': skillText('apart'),
  'gated/node_modules/package/SKILL.md': skillText('package'),
  'gated/.hidden-skill/SKILL.md': skillText('hidden-skill'),
  'outside.md': skillText('outside', quiz),
  'led-out/SKILL.md': { link: '../outside.md' },
  'led-out/inner/SKILL.md': skillText('in-led-out'),
});

const rule = (skill_name: string, tool = 'skill_load') => ({ tool, skill_name });
const lawOf = (rules: PermissionRules): Law => ({ rules: createPermissions({ user: rules }), off: noneOff });
const free: Law = { rules: noPermissions, off: noneOff };

/** A verdict in words: with the skill it comes from. */
function say(verdict: Verdict): string {
  if (verdict.verdict === 'allow') return 'allow';
  const why = 'reason' in verdict ? ` ${verdict.reason}` : 'tool' in verdict ? ` ${verdict.tool}` : '';
  return `${verdict.verdict}${why} by ${verdict.skill.name}`;
}

const operations: readonly Operation[] = ['list', 'read', 'invoke', 'run', 'inspect', 'make'];
const each = (verdict: string) => operations.map((operation) => [operation, verdict]);
/** A quiz does not keep a skill from being listed or built. */
const closedBy = (name: string) =>
  operations.map((operation) => [
    operation,
    operation === 'list' || operation === 'make' ? 'allow' : `closed by ${name}`,
  ]);

describe('every operation of a model', () => {
  test.each<[string, string, JudgeOptions, Law, unknown]>([
    ['a skill', 'plain', {}, free, each('allow')],
    ['behind a quiz', 'gated', {}, free, closedBy('gated')],
    ['behind a quiz, by its author', 'gated', { author: true }, free, each('allow')],
    ['behind a quiz that the caller looks after', 'gated', { exceptGate: true }, free, each('allow')],
    ['inside a skill', 'plain/middle', {}, free, each('allow')],
    ['inside a skill behind a quiz', 'gated/parts/plain-in-gated', {}, free, closedBy('gated')],
    [
      'inside a skill behind a quiz, by its author',
      'gated/parts/plain-in-gated',
      { author: true },
      free,
      each('allow'),
    ],
    [
      'inside a skill behind a quiz: the caller looks after its own gate only',
      'gated/parts/plain-in-gated',
      { exceptGate: true },
      free,
      closedBy('gated'),
    ],
    ['its own quiz, inside a skill', 'plain/gated-in-plain', {}, free, closedBy('gated-in-plain')],
    ['in a hidden directory of a skill', 'gated/.hidden/apart', {}, free, each('allow')],
    ['a hidden directory of a skill', 'gated/.hidden-skill', {}, free, each('allow')],
    ['a dependency of a skill', 'gated/node_modules/package', {}, free, each('allow')],
    ['inside something that cannot be opened', 'led-out/inner', {}, free, each('allow')],
    [
      'its own rule comes first',
      'gated/parts/plain-in-gated',
      {},
      lawOf({ confirm: [rule('plain-in-gated')] }),
      operations.map((operation) => [
        operation,
        operation === 'list' ? 'allow' : 'ask skill_load by plain-in-gated',
      ]),
    ],
    [
      'the rule of the skill around it',
      'plain/middle/innermost',
      {},
      lawOf({ confirm: [rule('plain')] }),
      operations.map((operation) => [operation, operation === 'list' ? 'allow' : 'ask skill_load by plain']),
    ],
    [
      'the nearer of two skills around it comes first',
      'plain/middle/innermost',
      {},
      lawOf({ deny: [rule('plain')], confirm: [rule('middle')] }),
      operations.map((operation) => [
        operation,
        operation === 'list' ? 'hide denied by plain' : 'ask skill_load by middle',
      ]),
    ],
    [
      'the rule of the skill around it comes before its own quiz',
      'plain/middle/innermost-gated',
      {},
      lawOf({ deny: [rule('middle')] }),
      operations.map((operation) => [
        operation,
        operation === 'list' ? 'hide denied by middle' : 'deny denied by middle',
      ]),
    ],
  ])('%s', async (_, directory, options, law, expected) => {
    const judge = createJudge(law, () => undefined);
    const skill = openSkill(`${root}/${directory}`);
    const verdicts = [];
    for (const operation of operations)
      verdicts.push([operation, say(await judge.judge(skill, { operation, by: 'model' }, options))]);
    expect(verdicts).toEqual(expected);
  });
});

test('a confirmation is asked for the skill around it too', async () => {
  const judge = createJudge(lawOf({ confirm: [rule('plain'), rule('middle')] }), () => undefined);
  const skill = openSkill(`${root}/plain/middle`);
  const ask = (...confirmed: string[]) =>
    judge.judge(skill, {
      operation: 'read',
      by: 'user',
      confirmed: ({ name }, tool) => tool === 'skill_load' && confirmed.includes(name),
    });
  expect(await ask()).toEqual({ verdict: 'ask', tool: 'skill_load', rule: rule('middle'), skill });
  expect(await ask('middle')).toEqual({
    verdict: 'ask',
    tool: 'skill_load',
    rule: rule('plain'),
    skill: expect.objectContaining({ name: 'plain', dir: join(root, 'plain') }),
  });
  expect(await ask('middle', 'plain')).toEqual({ verdict: 'allow' });
});

test('the rules of a workspace are read for each question', async () => {
  let rules: PermissionRules = {};
  const judge = createJudge(
    { rules: async () => createPermissions({ user: rules }), off: noneOff },
    () => undefined,
  );
  const look = async () =>
    say(await judge.judge(openSkill(`${root}/plain`), { operation: 'read', by: 'user' }));
  expect(await look()).toBe('allow');
  rules = { deny: [rule('plain')] };
  expect(await look()).toBe('deny denied by plain');
});

describe('the memory of passed quizzes', () => {
  const passed = { quizzes: [{ attempts: 1, score: 1, answers: {}, passed: true, known: [0] }] };
  const [gated, inner] = [`${root}/gated`, `${root}/gated/parts/plain-in-gated`];

  test('opens a gate, and is consulted for gates only', async () => {
    const memory = createQuizMemory('s');
    let asked = 0;
    const judge = createJudge(free, () => {
      asked++;
      return memory;
    });
    const look = async (dir: string) =>
      say(await judge.judge(openSkill(dir), { operation: 'read', by: 'model' }));
    expect([await look(`${root}/plain/middle`), asked]).toEqual(['allow', 0]);
    expect([await look(gated), asked]).toEqual(['closed by gated', 1]);
    memory.update(digestSkill(gated), () => passed);
    expect([await look(gated), await look(inner), asked]).toEqual(['allow', 'allow', 3]);
  });

  test('is asked by the digest that is known, for the skill itself only', async () => {
    const memory = createQuizMemory('s');
    memory.update('known', () => passed);
    const judge = createJudge(free, () => memory);
    const look = async (dir: string) =>
      say(await judge.judge(openSkill(dir), { operation: 'read', by: 'model' }, { digest: 'known' }));
    expect([await look(gated), await look(inner)]).toEqual(['allow', 'closed by gated']);
    expect((await judge.gateOf(gated))?.skill).toBe('gated');
    expect(await judge.gateOf(gated, 'known')).toBeUndefined();
    expect(await judge.gateOf(`${root}/plain`)).toBeUndefined();
  });
});

test('skills around a directory, innermost first', () => {
  const { enclosing } = createJudge(free, () => undefined);
  const around = (path: string) => enclosing(`${root}/${path}`).map((dir) => dir.slice(root.length + 1));
  expect([
    around('plain'),
    around('plain/middle'),
    around('plain/middle/innermost'),
    around('plain/middle/innermost'),
    around('gated/parts/plain-in-gated'),
    around('gated/.hidden/apart'),
    around('gated/.hidden-skill'),
    around('gated/node_modules/package'),
    around('gated/node_modules'),
  ]).toEqual([
    [],
    ['plain'],
    ['plain/middle', 'plain'],
    ['plain/middle', 'plain'],
    ['gated'],
    [],
    [],
    [],
    [],
  ]);
  expect(enclosing('/')).toEqual([]);
});

describe('the error for a verdict', () => {
  test.each<[string, Law, string, unknown]>([
    [
      'plain',
      lawOf({ deny: [rule('plain')] }),
      'word',
      { code: 'E060', message: "denied by permission rule: 'plain'" },
    ],
    [
      'plain',
      lawOf({ confirm: [rule('plain')] }),
      'word',
      { code: 'E061', message: "confirmation required: 'plain'" },
    ],
    ['gated', free, 'word', { code: 'E062', message: "quiz gate not passed: 'word'" }],
  ])('%s', async (directory, law, word, expected) => {
    const skill = openSkill(`${root}/${directory}`);
    const verdict = await createJudge(law, () => undefined).judge(skill, { operation: 'read', by: 'model' });
    expect(refusalOf(verdict as Exclude<Verdict, { verdict: 'allow' }>, word)).toMatchObject(
      expected as object,
    );
  });
});

describe('without quizzes', () => {
  const { enclosing } = createJudge(free, () => undefined);

  test.each<[string, Actor, Law, unknown]>([
    ['plain/middle/innermost', 'model', free, { verdict: 'allow' }],
    ['gated/parts/plain-in-gated', 'model', free, { verdict: 'allow' }],
    ['led-out/inner', 'model', free, { verdict: 'allow' }],
    ['user-only/inner', 'model', free, { verdict: 'deny', reason: 'user-only' }],
    ['user-only/inner', 'user', free, { verdict: 'allow' }],
    [
      'plain/middle/innermost',
      'user',
      lawOf({ deny: [rule('plain')] }),
      { verdict: 'deny', reason: 'denied' },
    ],
    [
      'plain/middle/innermost',
      'user',
      lawOf({ deny: [rule('plain')], confirm: [rule('middle')] }),
      { verdict: 'ask', tool: 'skill_load', rule: rule('middle') },
    ],
    [
      'plain/middle/innermost',
      'user',
      lawOf({ deny: [rule('plain')], confirm: [rule('innermost')] }),
      { verdict: 'ask', tool: 'skill_load', rule: rule('innermost') },
    ],
  ])('%s, %s', (directory, by, law, expected) => {
    const skill = openSkill(`${root}/${directory}`);
    expect(standingWithin(skill, { operation: 'read', by }, { law, enclosing })).toEqual(expected);
  });

  test.each<[string, Law, boolean]>([
    ['plain', free, true],
    ['user-only', free, true],
    ['user-only/inner', free, true],
    ['model-only', free, true],
    ['closed', free, false],
    ['closed/held', free, false],
    ['plain', lawOf({ confirm: [rule('plain')] }), true],
    ['plain', lawOf({ deny: [rule('plain')] }), false],
    ['plain/middle', lawOf({ deny: [rule('plain')] }), false],
  ])('somebody may use %s: %#', (directory, law, expected) => {
    const skill = openSkill(`${root}/${directory}`);
    const used = { model: 'read', user: 'invoke' } as const;
    expect(isOpenToAnyone(skill, used, { law, enclosing })).toBe(expected);
  });
});
