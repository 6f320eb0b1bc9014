import { expect, test } from 'vitest';
import type { FormatIssue } from './format-issue.ts';
import { checkHooks, HOOK_EVENTS, Hooks } from './hooks.ts';

const group = (handler: unknown) => ({ PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] });

test('every type of handler, with extra keys kept and flags normalised', () => {
  const hooks = {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: './v.sh', timeout: 30, async: 'yes' },
          { type: 'command', command: 'node', args: ['v.js'], if: 'Bash(git *)' },
        ],
      },
    ],
    Stop: [
      {
        hooks: [
          { type: 'prompt', prompt: 'Done?', model: 'haiku' },
          { type: 'agent', prompt: 'Check.', once: true },
          { type: 'http', url: 'https://example.com/h', headers: { a: 'b' } },
          { type: 'mcp_tool', server: 's', tool: 't', input: { x: 1 }, note: 'kept' },
        ],
      },
    ],
  };
  expect(checkHooks(hooks)).toEqual([]);
  expect(Hooks.parse(hooks)).toEqual({
    ...hooks,
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: './v.sh', timeout: 30, async: true },
          { type: 'command', command: 'node', args: ['v.js'], if: 'Bash(git *)' },
        ],
      },
    ],
  });
});

type Fault = [FormatIssue['kind'], string, string];
const at = 'hooks.PreToolUse.0.hooks.0';

test.each<[unknown, Fault[]]>([
  [null, [['type', 'hooks', 'hooks must be a mapping of events, not nothing']]],
  [[], [['type', 'hooks', 'hooks must be a mapping of events, not a list']]],
  [{ Stop: 'x' }, [['type', 'hooks.Stop', 'Stop must be a list of groups, not the text "x"']]],
  [{ Stop: ['x'] }, [['type', 'hooks.Stop.0', 'Stop[0] must be a mapping with \'hooks\', not the text "x"']]],
  [{ Stop: [{}] }, [['missing', 'hooks.Stop.0.hooks', "missing 'hooks'"]]],
  [{ Stop: [{ hooks: [] }] }, [['empty', 'hooks.Stop.0.hooks', 'hooks must not be empty']]],
  [group('x'), [['type', at, 'hooks[0] must be a mapping with a \'type\', not the text "x"']]],
  [group({ command: 'x' }), [['missing', `${at}.type`, "missing 'type'"]]],
  [
    group({ type: 'shell' }),
    [
      [
        'value',
        `${at}.type`,
        'type must be one of command, prompt, agent, http, mcp_tool, not the text "shell"',
      ],
    ],
  ],
  [group({ type: 'command' }), [['missing', `${at}.command`, "missing 'command'"]]],
  [group({ type: 'command', command: ' ' }), [['empty', `${at}.command`, 'command must not be empty']]],
  [
    group({ type: 'command', command: ['ls'] }),
    [['type', `${at}.command`, 'command must be text, not a list']],
  ],
  [
    group({ type: 'command', command: 'x', timeout: '30s' }),
    [['type', `${at}.timeout`, 'timeout must be a number of seconds, not the text "30s"']],
  ],
  [
    group({ type: 'command', command: 'x', timeout: 0 }),
    [['value', `${at}.timeout`, 'timeout must be a number of seconds above 0, not the number 0']],
  ],
  [
    group({ type: 'command', command: 'x', async: 'later' }),
    [['type', `${at}.async`, 'async must be true or false, not the text "later"']],
  ],
  [
    group({ type: 'command', command: 'x', args: 'a b' }),
    [['type', `${at}.args`, 'args must be a list of texts, not the text "a b"']],
  ],
  [group({ type: 'prompt' }), [['missing', `${at}.prompt`, "missing 'prompt'"]]],
  [
    group({ type: 'http', url: 'file:///etc/passwd' }),
    [['format', `${at}.url`, 'url must be an http or https URL, not the text "file:///etc/passwd"']],
  ],
  [group({ type: 'mcp_tool', server: 's' }), [['missing', `${at}.tool`, "missing 'tool'"]]],
])('%j', (value, expected) => {
  expect(checkHooks(value).map((issue) => [issue.kind, issue.path.join('.'), issue.message])).toEqual(
    expected,
  );
});

test('accepts every known event', () => {
  const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, []]));
  expect([HOOK_EVENTS.length, checkHooks(hooks)]).toEqual([33, []]);
});

test('an unknown event draws a warning with a suggestion', () => {
  expect(checkHooks({ preToolUse: [] })).toEqual([
    {
      kind: 'unknown',
      field: 'hooks',
      path: ['hooks', 'preToolUse'],
      message: "unknown event 'preToolUse' in hooks",
      help: "did you mean 'PreToolUse'?",
      severity: 'warning',
    },
  ]);
});
