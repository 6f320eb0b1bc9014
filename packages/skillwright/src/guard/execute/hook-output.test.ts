import { expect, test } from 'vitest';
import { type HookEffect, noAnswer, readAnswer, readCommand } from './hook-output.ts';

const nothing: HookEffect = {
  decision: undefined,
  reason: undefined,
  context: [],
  message: undefined,
  continue: true,
  stopReason: undefined,
  output: undefined,
  problem: undefined,
};

const end = (exitCode: number, stdout: unknown = '', stderr = '') => ({
  exitCode,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
  stopped: undefined,
});
const specific = (more: object, hookEventName = 'PreToolUse') => ({
  hookSpecificOutput: { hookEventName, ...more },
});

test.each<[string, ReturnType<typeof end>, Partial<HookEffect>]>([
  ['PreToolUse', end(0), {}],
  ['PreToolUse', end(0, 'plain words'), {}],
  ['PreToolUse', end(0, '{ garbage'), { problem: 'its answer is not understood' }],
  ['PreToolUse', end(0, '{ garbage }'), { problem: 'its answer is not understood' }],
  ['PreToolUse', end(0, '{"decision": 7}'), { problem: 'its answer is not understood' }],
  [
    'PreToolUse',
    end(0, `{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
    { problem: 'its answer is not understood' },
  ],
  ['SessionStart', end(0, '{ garbage'), { problem: 'its answer is not understood' }],
  ['UserPromptSubmit', end(0, ' for the model \n'), { context: ['for the model'] }],
  ['SessionStart', end(0, 'x'.repeat(10_001)), { context: [`${'x'.repeat(10_000)}… [1 more characters]`] }],
  ['PreToolUse', end(2, '', 'not so\n'), { decision: 'block', reason: 'not so' }],
  ['PreToolUse', end(2), { decision: 'block', reason: 'it ended with status 2' }],
  ['PreToolUse', end(2, '{ garbage }', 'no'), { decision: 'block', reason: 'no' }],
  [
    'PreToolUse',
    end(2, specific({ permissionDecision: 'allow' }), 'no'),
    { decision: 'block', reason: 'no', output: specific({ permissionDecision: 'allow' }) as never },
  ],
  [
    'PreToolUse',
    end(2, { decision: 'block', reason: 'own' }, 'no'),
    { decision: 'block', reason: 'own', output: { decision: 'block', reason: 'own' } },
  ],
  ['Notification', end(2, '', 'no'), { problem: 'it ended with status 2: no' }],
  [
    'Notification',
    end(0, { decision: 'block', reason: 'x' }),
    { output: { decision: 'block', reason: 'x' } },
  ],
  ['PreToolUse', end(1, '', 'odd'), { problem: 'it ended with status 1: odd' }],
  ['PreToolUse', end(127), { problem: 'it ended with status 127' }],
  [
    'PreToolUse',
    end(1, { decision: 'block', reason: 'x' }),
    { decision: 'block', reason: 'x', output: { decision: 'block', reason: 'x' } },
  ],
  [
    'PreToolUse',
    end(1, { decision: 'approve' }),
    { output: { decision: 'approve' }, problem: 'it ended with status 1' },
  ],
  ['Stop', end(1, { continue: false }), { continue: false, output: { continue: false } }],
  ['WorktreeCreate', end(1, '', 'no'), { problem: 'it ended with status 1: no' }],
  [
    'Stop',
    end(0, { continue: false, stopReason: 'enough' }),
    { continue: false, stopReason: 'enough', output: { continue: false, stopReason: 'enough' } },
  ],
  ['Stop', end(0, { systemMessage: 'hear' }), { message: 'hear', output: { systemMessage: 'hear' } }],
  ['PreToolUse', end(0, { decision: 'approve' }), { decision: 'allow', output: { decision: 'approve' } }],
  ...(['allow', 'deny', 'ask', 'defer'] as const).map(
    (permissionDecision): [string, ReturnType<typeof end>, Partial<HookEffect>] => {
      const said = specific({ permissionDecision, permissionDecisionReason: 'r', additionalContext: 'c' });
      const decision = { allow: 'allow', deny: 'block', ask: 'ask', defer: 'ask' } as const;
      return [
        'PreToolUse',
        end(0, said),
        { decision: decision[permissionDecision], reason: 'r', context: ['c'], output: said as never },
      ];
    },
  ),
  [
    'PreToolUse',
    end(0, specific({ permissionDecision: 'deny' }, 'Stop')),
    { output: specific({ permissionDecision: 'deny' }, 'Stop') as never },
  ],
  ['PermissionRequest', end(2, '', 'no'), { problem: 'it ended with status 2: no' }],
  [
    'PermissionRequest',
    end(0, specific({ decision: { behavior: 'deny', message: 'm' } }, 'PermissionRequest')),
    {
      decision: 'block',
      reason: 'm',
      output: specific({ decision: { behavior: 'deny', message: 'm' } }, 'PermissionRequest') as never,
    },
  ],
  ['Stop', { ...end(0), stopped: 'time' } as never, { problem: 'it took too long' }],
  ['PreModelSwitch', { ...end(0), stopped: 'time' } as never, { problem: 'it took too long' }],
  ['Stop', { ...end(2), stopped: 'output' } as never, { problem: 'it wrote too much' }],
])('%s %j', (event, given, expected) => {
  expect(readCommand(event, given)).toEqual({ ...nothing, ...expected });
});

test.each<[string, unknown, Partial<HookEffect>]>([
  ['Stop', undefined, {}],
  ['Stop', 'words', {}],
  ['Stop', '{"ok": fal', { problem: 'its answer is not understood' }],
  ['PreToolUse', 'I would rather not.', { problem: 'its answer is not understood' }],
  ['PreToolUse', ' \n', {}],
  [
    'Stop',
    '{"ok":false,"reason":"not yet"}',
    { decision: 'block', reason: 'not yet', output: { ok: false, reason: 'not yet' } },
  ],
  ['Stop', { ok: true }, { output: { ok: true } }],
  ['Stop', { ok: false, impossible: true }, { output: { ok: false, impossible: true } }],
  ['Stop', { ok: 'perhaps' }, { problem: 'its answer is not understood' }],
  ['Stop', 42, { problem: 'its answer is not understood' }],
])('an answer on %s: %j', (event, answer, expected) => {
  expect(readAnswer(event, answer)).toEqual({ ...nothing, ...expected });
});

test.each<[string, HookEffect['decision']]>([
  ['PreToolUse', 'block'],
  ['UserPromptSubmit', 'block'],
  ['WorktreeCreate', 'block'],
  ['PreModelSwitch', 'block'],
  ['NoSuchEvent', 'block'],
  ['PermissionRequest', 'ask'],
  ['Stop', undefined],
  ['PostToolUse', undefined],
  ['PreCompact', undefined],
  ['Notification', undefined],
])('without an answer %s is decided: %s', (event, decision) => {
  const reason = decision === undefined ? undefined : 'the hook gave no answer: it broke';
  const expected = { ...nothing, problem: 'it broke', decision, reason };
  expect(noAnswer(event, 'the hook', 'it broke')).toEqual(expected);
});
