import { expect, test } from 'vitest';
import { type Match, matchEvent, meetsRule } from './hook-selection.ts';

test.each<[string | undefined, string, Record<string, unknown>, Match]>([
  [undefined, 'PreToolUse', { tool_name: 'Bash' }, 'yes'],
  ['', 'PreToolUse', { tool_name: 'Bash' }, 'yes'],
  ['*', 'PreToolUse', { tool_name: 'Bash' }, 'yes'],
  ['Bash', 'PreToolUse', { tool_name: 'Bash' }, 'yes'],
  ['Bash', 'PreToolUse', { tool_name: 'BashOutput' }, 'no'],
  ['bash', 'PreToolUse', { tool_name: 'Bash' }, 'no'],
  ['Edit|Write', 'PostToolUse', { tool_name: 'Write' }, 'yes'],
  ['Edit | Write', 'PostToolUse', { tool_name: 'Write' }, 'yes'],
  ['Edit, Write', 'PostToolUse', { tool_name: 'Edit' }, 'yes'],
  ['Edit|Write', 'PostToolUse', { tool_name: 'NotebookEdit' }, 'no'],
  ['mcp__memory', 'PreToolUse', { tool_name: 'mcp__memory__store' }, 'no'],
  ['mcp__memory__.*', 'PreToolUse', { tool_name: 'mcp__memory__store' }, 'yes'],
  ['Edit.*', 'PreToolUse', { tool_name: 'NotebookEdit' }, 'yes'],
  ['^Edit$', 'PreToolUse', { tool_name: 'NotebookEdit' }, 'no'],
  ['(', 'PreToolUse', { tool_name: 'Bash' }, 'unusable'],
  ['(?!x)', 'PreToolUse', { tool_name: 'Bash' }, 'unusable'],
  ['(a+)+$', 'PreToolUse', { tool_name: `${'a'.repeat(100_000)}!` }, 'no'],
  ['Bash', 'PreToolUse', {}, 'no'],
  ['Bash', 'PreToolUse', { tool_name: 7 }, 'no'],
  ['Bash', 'Stop', { tool_name: 'Edit' }, 'yes'],
  ['startup', 'SessionStart', { source: 'resume' }, 'no'],
  ['resume', 'SessionStart', { source: 'resume' }, 'yes'],
  ['manual', 'PreCompact', { trigger: 'auto' }, 'no'],
  ['.envrc|.env', 'FileChanged', { file_path: '/p/.env' }, 'yes'],
  ['.envrc|.env', 'FileChanged', { file_path: '/p/xenv' }, 'no'],
  ['opus', 'PreModelSwitch', { to_model: 'opus' }, 'yes'],
  ['Bash', 'SomethingNew', { tool_name: 'Bash' }, 'yes'],
  ['Bash', 'SomethingNew', { tool_name: 'Edit' }, 'no'],
])('%j on %s %j: %s', async (matcher, event, payload, expected) => {
  expect(await matchEvent(matcher, event, payload)).toEqual(expected);
});

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
const edit = (file_path: string) => ({ tool_name: 'Edit', tool_input: { file_path } });

test.each<[string | undefined, string, Record<string, unknown>, boolean]>([
  [undefined, 'Stop', {}, true],
  ['Bash', 'Stop', bash('x'), false],
  ['Bash', 'PreToolUse', bash('x'), true],
  ['Bash(*)', 'PreToolUse', bash('x'), true],
  ['Bash(git *)', 'PreToolUse', bash('git push'), true],
  ['Bash(git *)', 'PreToolUse', bash('cd x && git push'), true],
  ['Bash(git *)', 'PreToolUse', bash('gitk'), false],
  ['Bash(git:*)', 'PreToolUse', bash('git'), true],
  ['Bash(git:*)', 'PreToolUse', bash('gitk'), false],
  ['Bash(rm -rf *)', 'PreToolUse', bash('rm -rf (.+)+'), true],
  ['Bash(git *)', 'PreToolUse', edit('/p/git x'), false],
  ['Edit(*.ts)', 'PostToolUse', edit('/p/src/a.ts'), true],
  ['Edit(*.ts)', 'PostToolUse', edit('/p/src/a.tsx'), false],
  ['Edit(src/*.ts)', 'PostToolUse', edit('/p/src/a.ts'), true],
  ['Edit(src/*.ts)', 'PostToolUse', edit('/p/src/b/a.ts'), false],
  ['Edit(src/**.ts)', 'PostToolUse', edit('/p/src/b/a.ts'), true],
  ['Write(*.ts)', 'PostToolUse', edit('/p/a.ts'), false],
  [
    'WebFetch(https://example.com/*)',
    'PreToolUse',
    { tool_name: 'WebFetch', tool_input: { url: 'https://example.com/a' } },
    true,
  ],
  ['Task(x)', 'PreToolUse', { tool_name: 'Task' }, true],
  ['((', 'PreToolUse', bash('x'), true],
])('rule %j on %s %j: %s', async (rule, event, payload, expected) => {
  expect(await meetsRule(rule, event, payload)).toEqual(expected);
});
