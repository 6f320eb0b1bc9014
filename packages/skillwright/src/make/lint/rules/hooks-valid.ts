// SKL113: hooks can run.

import { locateFile } from '../../../base/files/index.ts';
import { checkHooks, type FormatIssue, isMapping } from '../../../skill/format/index.ts';
import type { LintSkill } from '../lint-skill.ts';
import { listMappings } from '../list-mappings.ts';
import { quoteText } from '../quote-text.ts';
import { reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/**
 * The files of the skill that a command names: a script at its start, possibly after an interpreter, and anything
 * it names below the skill's directory. Other paths may belong to the project the agent works on.
 */
const OWN_FILES = [
  /^\s*(?:(?:(?:ba|z)?sh|python3?|node|bun|bun run|deno run)\s+)?["']?((?:\.\/|scripts\/)[\w./-]*\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|ps1))(?![\w./-])/g,
  /\$(?:CLAUDE_SKILL_DIR|\{CLAUDE_SKILL_DIR\})["']?\/([\w./-]+)/g,
];

/** Reports hooks of the wrong form and commands with a missing script. */
export const hooksValid = defineRule({
  id: 'SKL113',
  name: 'hooks-valid',
  severity: 'error',
  summary: '`hooks` has the form agents read, and the scripts of its commands exist.',
  check(skill) {
    const { hooks } = skill.data;
    if (hooks === undefined) return [];
    return reportIssues(skill, [...checkHooks(hooks), ...checkCommands(skill, hooks)]);
  },
});

function* checkCommands(skill: LintSkill, hooks: unknown): Generator<FormatIssue> {
  for (const { command, path } of listCommands(hooks)) {
    for (const [, file] of OWN_FILES.flatMap((pattern) => [...command.matchAll(pattern)])) {
      if (locateFile(skill.dir, file!) === 'file') continue;
      const message = `the command runs ${quoteText(file!)}, which is not a file of the skill`;
      const help = 'add the file, or correct the path: it is relative to the skill directory';
      yield { kind: 'value', field: 'hooks', path, message, help, severity: 'warning' };
    }
  }
}

function* listCommands(hooks: unknown): Generator<{ command: string; path: (string | number)[] }> {
  for (const [event, groups] of Object.entries(isMapping(hooks) ? hooks : {})) {
    for (const group of listMappings(groups)) {
      for (const { index, entry } of listMappings(group.entry.hooks)) {
        const path = ['hooks', event, group.index, 'hooks', index, 'command'];
        if (entry.type === 'command' && typeof entry.command === 'string')
          yield { command: entry.command, path };
      }
    }
  }
}
