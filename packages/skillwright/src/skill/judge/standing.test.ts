import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeSharedDirectory } from '../../../test/make-directory.ts';
import { digestSkill } from '../quiz/index.ts';
import { openSkill } from '../skill/index.ts';
import {
  createPermissions,
  noneOff,
  noPermissions,
  type PermissionRules,
  readSwitchedOff,
  storeAt,
} from '../workspace/index.ts';
import {
  type Actor,
  decide,
  type GuardedTool,
  isUserOnly,
  type Judged,
  type Law,
  type Operation,
  type Reason,
  refusal,
  standingOf,
  unconfirmed,
} from './standing.ts';

const root = makeSharedDirectory({
  'folder/SKILL.md': '---\nname: demo\ndescription: D.\n---\n# Demo\n',
  'user-only/SKILL.md': '---\nname: demo\ndescription: D.\ndisable-model-invocation: true\n---\n',
  'odd-user-only/SKILL.md': '---\nname: demo\ndescription: D.\ndisable-model-invocation: perhaps\n---\n',
  'model-only/SKILL.md': '---\nname: demo\ndescription: D.\nuser-invocable: false\n---\n',
  'odd-model-only/SKILL.md': '---\nname: demo\ndescription: D.\nuser-invocable: perhaps\n---\n',
  'nobody/SKILL.md':
    '---\nname: demo\ndescription: D.\nuser-invocable: false\ndisable-model-invocation: true\n---\n',
  'by-name/.skillc/state.json': '{"disabled": ["DEMO"]}',
  'by-directory/.skillc/state.json': '{"disabled": ["folder"]}',
  'other/.skillc/state.json': '{"disabled": ["other"]}',
});

const skillIn = (directory: string): Judged => openSkill(`${root}/${directory}`);
const demo = skillIn('folder');

const lawOf = (rules: PermissionRules = {}, store?: string): Law => ({
  rules: createPermissions({ user: rules }),
  off: store === undefined ? noneOff : readSwitchedOff([storeAt('user', `${root}/${store}`)]),
});

const load = { tool: 'skill_load', skill_name: 'demo' };
const run = { tool: 'skill_run', skill_name: 'demo' };
const operations: readonly Operation[] = ['list', 'read', 'invoke', 'run', 'inspect', 'make'];

const all = (verdict: string) => operations.map(() => verdict).join(', ');
const ALLOW = all('allow');
const HIDE = 'hide disabled';
const GONE = 'hide unavailable';
const DENY = 'deny denied';
const ASK = 'ask skill_load';

interface Row {
  readonly skill?: Judged;
  readonly law?: Law;
  /** Tools that the user confirmed. */
  readonly confirmed?: readonly GuardedTool[];
  /** The verdicts on list, read, invoke, run, inspect and make. */
  readonly model: string;
  readonly user: string;
}

const denied = {
  model: `hide denied, ${DENY}, ${DENY}, ${DENY}, ${DENY}, ${DENY}`,
  user: `allow, ${DENY}, ${DENY}, ${DENY}, allow, ${DENY}`,
};
const disabled = { model: all(HIDE), user: `allow, ${HIDE}, ${HIDE}, ${HIDE}, allow, ${HIDE}` };
const unavailable = { model: all(GONE), user: `allow, allow, ${GONE}, ${GONE}, allow, allow` };
const userOnly = {
  model: 'hide user-only, deny user-only, deny user-only, deny user-only, deny user-only, deny user-only',
  user: ALLOW,
};
const modelOnly = { model: ALLOW, user: 'allow, allow, deny model-only, allow, allow, allow' };
const asked = {
  model: `allow, ${ASK}, ${ASK}, ${ASK}, ${ASK}, ${ASK}`,
  user: `allow, ${ASK}, ${ASK}, ${ASK}, allow, allow`,
};
const askedToRun = {
  model: 'allow, allow, allow, ask skill_run, allow, allow',
  user: 'allow, allow, allow, ask skill_run, allow, allow',
};
const open = { model: ALLOW, user: ALLOW };

describe('the verdict on each operation', () => {
  test.each<[string, Row]>([
    ['nothing against it', open],
    ['switched off by name', { law: lawOf({}, 'by-name'), ...disabled }],
    ['switched off by directory', { law: lawOf({}, 'by-directory'), ...disabled }],
    ['another one switched off', { law: lawOf({}, 'other'), ...open }],
    ['switched off when it was listed', { skill: { ...demo, enabled: false }, ...disabled }],
    ['switched on when it was listed', { skill: { ...demo, enabled: true }, ...open }],
    ['unavailable', { skill: { ...demo, available: false }, ...unavailable }],
    ['available', { skill: { ...demo, available: true }, ...open }],
    ['denied', { law: lawOf({ deny: [load] }), ...denied }],
    ['denied by its directory', { law: lawOf({ deny: [{ ...load, skill_name: 'folder' }] }), ...denied }],
    ['another one denied', { law: lawOf({ deny: [{ ...load, skill_name: 'other' }] }), ...open }],
    [
      'running denied',
      {
        law: lawOf({ deny: [run] }),
        model: `allow, allow, allow, ${DENY}, allow, allow`,
        user: `allow, allow, allow, ${DENY}, allow, allow`,
      },
    ],
    ['for the user only', { skill: skillIn('user-only'), ...userOnly }],
    ['an unreadable flag closes it', { skill: skillIn('odd-user-only'), ...userOnly }],
    ['for the model only', { skill: skillIn('model-only'), ...modelOnly }],
    ['an unreadable flag does not take it from the user', { skill: skillIn('odd-model-only'), ...open }],
    ['for nobody', { skill: skillIn('nobody'), model: userOnly.model, user: modelOnly.user }],
    ['to confirm', { law: lawOf({ confirm: [load] }), ...asked }],
    ['confirmed', { law: lawOf({ confirm: [load] }), confirmed: ['skill_load'], ...open }],
    [
      'running confirmed, not loading',
      { law: lawOf({ confirm: [load] }), confirmed: ['skill_run'], ...asked },
    ],
    ['running to confirm', { law: lawOf({ confirm: [run] }), ...askedToRun }],
    [
      'running to confirm, loading confirmed',
      { law: lawOf({ confirm: [run] }), confirmed: ['skill_load'], ...askedToRun },
    ],
    ['both to confirm: loading comes first', { law: lawOf({ confirm: [load, run] }), ...asked }],
    [
      'both to confirm, loading confirmed',
      { law: lawOf({ confirm: [load, run] }), confirmed: ['skill_load'], ...askedToRun },
    ],
    [
      'both confirmed',
      { law: lawOf({ confirm: [load, run] }), confirmed: ['skill_load', 'skill_run'], ...open },
    ],
    ['allowed, and to confirm', { law: lawOf({ confirm: [load], allow: [load] }), ...open }],
    // The first reason wins where several hold.
    [
      'switched off and unavailable',
      { skill: { ...demo, enabled: false, available: false }, model: disabled.model, user: disabled.user },
    ],
    [
      'unavailable and denied',
      {
        skill: { ...demo, available: false },
        law: lawOf({ deny: [load] }),
        model: unavailable.model,
        user: `allow, ${DENY}, ${GONE}, ${GONE}, allow, ${DENY}`,
      },
    ],
    [
      'denied and for the user only',
      { skill: skillIn('user-only'), law: lawOf({ deny: [load] }), ...denied },
    ],
    ['denied and to confirm', { law: lawOf({ deny: [load], confirm: [load] }), ...denied }],
    [
      'for the user only and to confirm',
      {
        skill: skillIn('user-only'),
        law: lawOf({ confirm: [load] }),
        model: userOnly.model,
        user: asked.user,
      },
    ],
  ])('%s', (_, { skill = demo, law = lawOf(), confirmed, ...expected }) => {
    const row = (by: Actor) =>
      operations
        .map((operation) => {
          const isConfirmed = (on: Judged, tool: GuardedTool) => on === skill && confirmed!.includes(tool);
          const question = { operation, by, ...(confirmed === undefined ? {} : { confirmed: isConfirmed }) };
          const standing = standingOf(skill, question, law);
          if (standing.verdict === 'allow') return 'allow';
          return `${standing.verdict} ${'tool' in standing ? standing.tool : standing.reason}`;
        })
        .join(', ');
    expect({ model: row('model'), user: row('user') }).toEqual(expected);
  });

  test('a question names the tool and the rule', () => {
    const law = lawOf({ confirm: [load, run] });
    const by = { operation: 'run', by: 'model' } as const;
    expect(standingOf(demo, by, law)).toEqual({ verdict: 'ask', tool: 'skill_load', rule: load });
    const confirmed = (_: Judged, tool: GuardedTool) => tool === 'skill_load';
    expect(standingOf(demo, { ...by, confirmed }, law)).toEqual({
      verdict: 'ask',
      tool: 'skill_run',
      rule: run,
    });
  });
});

test('a rule decides by every name of the skill, on loading unless a tool is named', () => {
  const rules = createPermissions({ user: { deny: [{ ...load, skill_name: 'folder' }], confirm: [run] } });
  expect(decide(demo, rules)).toEqual({
    effect: 'deny',
    layer: 'user',
    rule: { tool: 'skill_load', skill_name: 'folder' },
  });
  expect(decide(demo, rules, 'skill_run')).toEqual({ effect: 'confirm', layer: 'user', rule: run });
  expect(decide(demo, noPermissions)).toEqual({ effect: 'allow', layer: 'default', rule: null });
});

test('a remembered permission is for this directory with this content', () => {
  const rules = createPermissions({ user: { confirm: [{ tool: 'skill_load' }] } });
  const remembered = { tool: 'skill_load', skill_name: 'demo', path: demo.dir };
  rules.remember({ ...remembered, digest: 'other' });
  expect(decide(demo, rules).effect).toBe('confirm');
  rules.remember({ ...remembered, digest: digestSkill(demo.dir) });
  expect(decide(demo, rules).effect).toBe('allow');
  expect(decide(skillIn('model-only'), rules).effect).toBe('confirm');
});

test.each<[Reason, Partial<Judged>, { code: string; message: string; help?: string }]>([
  [
    'disabled',
    {},
    {
      code: 'E001',
      message: "skill 'demo' not found",
      help: "it is switched off; run 'skc skills --enable demo' to switch it on",
    },
  ],
  [
    'unavailable',
    { reason: 'docker is not installed' },
    {
      code: 'E001',
      message: "skill 'demo' not found",
      help: 'it is unavailable here: docker is not installed',
    },
  ],
  [
    'unavailable',
    {},
    {
      code: 'E001',
      message: "skill 'demo' not found",
      help: 'it is unavailable here: something it requires is missing',
    },
  ],
  ['denied', {}, { code: 'E060', message: "denied by permission rule: 'demo'" }],
  [
    'user-only',
    {},
    {
      code: 'E060',
      message: "denied by permission rule: 'demo'",
      help: 'only the user may invoke it (disable-model-invocation)',
    },
  ],
  [
    'model-only',
    {},
    {
      code: 'E060',
      message: "denied by permission rule: 'demo'",
      help: 'only the agent may use it (user-invocable: false)',
    },
  ],
])('the refusal for %s %j', (reason, more, expected) => {
  const { code, message, help, data } = refusal({ ...demo, ...more }, reason);
  expect({ code, message, help, data }).toEqual({
    help: undefined,
    ...expected,
    data: { reason, path: join(root, 'folder/SKILL.md') },
  });
});

test('the error for a use that is not confirmed is the question', () => {
  const { code, message, data } = unconfirmed({ skill: demo, tool: 'skill_run', rule: run });
  expect({ code, message, data }).toEqual({
    code: 'E061',
    message: "confirmation required: 'demo'",
    data: { path: join(root, 'folder/SKILL.md'), tool: 'skill_run', rule: run },
  });
});

test.each<[unknown, boolean]>([
  [undefined, false],
  [null, false],
  [false, false],
  ['false', false],
  ['no', false],
  [true, true],
  ['true', true],
  ['Yes', true],
  ['perhaps', true],
  ['', true],
  [[], true],
])('disable-model-invocation %j: for the user only: %s', (value, expected) => {
  expect(isUserOnly({ 'disable-model-invocation': value })).toBe(expected);
});
