// Layer 2: the fields Claude Code adds; compatible agents read them too.

import * as z from 'zod';
import { CommaList, FilledText, Flag, readMapping, Text, ToolList, WordList } from './field-shapes.ts';
import { Hooks } from './hooks.ts';
import { mustBe } from './schema-issues.ts';

/** Each field of layer 2 and its schema; `hooks` has a separate one. */
export const claudeFields = {
  /** Appended to the description when an agent chooses a skill. */
  when_to_use: Text,
  'argument-hint': Text,
  /** Names of the arguments, in order. */
  arguments: WordList,
  'disable-model-invocation': Flag,
  'user-invocable': Flag,
  mode: Flag,
  'disallowed-tools': ToolList,
  model: FilledText,
  effort: oneOf(['low', 'medium', 'high', 'xhigh', 'max']),
  context: oneOf(['fork']),
  agent: FilledText,
  background: Flag,
  /** Globs of files the skill applies to. */
  paths: CommaList,
  shell: oneOf(['bash', 'powershell']),
} as const;

/** Field names of layer 2. */
export const CLAUDE_FIELDS: readonly string[] = [...Object.keys(claudeFields), 'hooks'];

/** Layer 2 of a skill's frontmatter, with the defaults agents use. */
export const ClaudeLayer = readMapping(
  {
    when_to_use: claudeFields.when_to_use.optional(),
    'argument-hint': claudeFields['argument-hint'].optional(),
    arguments: claudeFields.arguments.optional(),
    'disable-model-invocation': claudeFields['disable-model-invocation'].default(false),
    'user-invocable': claudeFields['user-invocable'].default(true),
    mode: claudeFields.mode.default(false),
    'disallowed-tools': claudeFields['disallowed-tools'].optional(),
    model: claudeFields.model.optional(),
    effort: claudeFields.effort.optional(),
    context: claudeFields.context.optional(),
    agent: claudeFields.agent.default('general-purpose'),
    background: claudeFields.background.optional(),
    paths: claudeFields.paths.optional(),
    shell: claudeFields.shell.optional(),
    hooks: Hooks.optional(),
  },
  ['when_to_use', 'argument-hint', 'model', 'agent'],
);
export type ClaudeLayer = z.infer<typeof ClaudeLayer>;

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  const list = values.map((value) => `'${value}'`).join(', ');
  return z.enum(values, { error: mustBe(values.length === 1 ? list : `one of ${list}`) });
}
