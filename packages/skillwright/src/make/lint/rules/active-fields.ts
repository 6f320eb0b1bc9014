// The rules about fields that do something: quizzes, triggers and hooks.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suggest } from '../../../base/diagnostics/index.ts';
import { locateFile, resolveInside } from '../../../base/files/index.ts';
import { foldText, readMarkdown } from '../../../base/markdown/index.ts';
import {
  checkHooks,
  checkQuiz,
  checkTriggers,
  type FormatIssue,
  isMapping,
  isSkillName,
} from '../../../skill/format/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

type Path = readonly (string | number)[];

/** Problem with a target; an error unless it has another severity. */
type Fault = Pick<FormatIssue, 'message'> & Partial<Pick<FormatIssue, 'help' | 'severity'>>;

/** SKL111: problems of a quiz and branches that lead nowhere. */
export const quizValid = defineRule({
  id: 'SKL111',
  name: 'quiz-valid',
  severity: 'error',
  summary: 'Every quiz question has right and wrong answers, and the target of every branch exists.',
  check(skill) {
    const { quiz } = skill.frontmatter;
    if (quiz === undefined) return [];
    return reportIssues(skill, [...checkQuiz(quiz), ...checkTargets(skill, quiz)]);
  },
});

function* checkTargets(skill: LintSubject, quiz: unknown): Generator<FormatIssue> {
  let sections: ReadonlySet<string> | undefined;
  const explain: Readonly<Record<string, (target: string) => Fault | undefined>> = {
    goto: (target) => {
      sections ??= listSectionNames(skill);
      return explainSection(target, { skill, sections });
    },
    'load-reference': (target) => explainReference(target, skill),
    'load-skill': (target) => explainSkill(target, skill),
  };
  for (const { branch, path } of listBranches(quiz)) {
    for (const [key, explainTarget] of Object.entries(explain)) {
      const target = branch[key];
      if (typeof target !== 'string' || target.trim() === '') continue;
      const fault = explainTarget(target.trim());
      if (fault === undefined) continue;
      yield { kind: 'value', field: 'quiz', path: [...path, key], severity: 'error', ...fault };
    }
  }
}

function* listBranches(quiz: unknown): Generator<{ branch: Record<string, unknown>; path: Path }> {
  const blocks = isMapping(quiz)
    ? [{ entry: quiz, path: ['quiz'] }]
    : listMappings(quiz).map(({ entry, index }) => ({ entry, path: ['quiz', index] }));
  for (const block of blocks) {
    for (const question of listMappings(block.entry.questions)) {
      for (const key of ['on-correct', 'on-incorrect']) {
        const branch = question.entry[key];
        if (isMapping(branch)) yield { branch, path: [...block.path, 'questions', question.index, key] };
      }
    }
  }
}

/** A section is named by its heading (`## Setup Steps`, `Setup Steps`) or its anchor (`#setup-steps`, `setup-steps`). */
function listSectionNames({ markdown }: LintSubject): ReadonlySet<string> {
  const names = markdown().headings.flatMap(({ text, anchor }) => [text, anchor, `#${anchor}`]);
  return new Set(names.map(foldText));
}

function explainSection(
  target: string,
  { skill, sections }: { skill: LintSubject; sections: ReadonlySet<string> },
): Fault | undefined {
  const written = /^#{1,6}\s/.test(target) ? (readMarkdown(target).headings[0]?.text ?? target) : target;
  if (sections.has(foldText(written))) return undefined;
  const headings = skill
    .markdown()
    .headings.slice(0, 500)
    .map(({ text }) => text);
  const [closest] = suggest(written, headings, 1);
  return {
    message: `goto ${quoteText(target)} is not a heading of SKILL.md`,
    help: closest === undefined ? undefined : `did you mean ${quoteText(closest)}?`,
  };
}

function explainReference(target: string, { dir }: LintSubject): Fault | undefined {
  const place = [target, target.replace(/#.*$/, '')].map((path) => locateFile(dir, path));
  if (place.includes('file')) {
    if (!isFileAt(dir, target, SKILL_FILE)) return undefined;
    return {
      message: `load-reference ${quoteText(target)} is SKILL.md, which contains the answers and is never shown`,
      help: 'name a section of it with goto, or move the text to a separate file',
    };
  }
  const problem = place.includes('outside') ? 'leads out of the skill' : 'is not a file of the skill';
  return {
    message: `load-reference ${quoteText(target)} ${problem}`,
    help: 'give the path of a file relative to the skill directory, such as references/overview.md',
  };
}

/** Whether a path, links followed, is a file of the skill. */
function isFileAt(dir: string, target: string, file: string): boolean {
  const path = target.replace(/#.*$/, '');
  return locateFile(dir, path) === 'file' && resolveInside(dir, path) === resolveInside(dir, file);
}

function explainSkill(target: string, { dir, frontmatter }: LintSubject): Fault | undefined {
  if (target === frontmatter.name) return { message: `load-skill ${quoteText(target)} is this skill itself` };
  if (!isSkillName(target)) return { message: `load-skill ${quoteText(target)} is not a valid skill name` };
  if (existsSync(join(dirname(dir), target, SKILL_FILE))) return undefined;
  return {
    message: `load-skill ${quoteText(target)} is not next to this skill`,
    help: 'users of this skill need to install it too',
    severity: 'warning',
  };
}

/** SKL112: triggers of the wrong type and patterns that cannot run. */
export const triggersValid = defineRule({
  id: 'SKL112',
  name: 'triggers-valid',
  severity: 'error',
  summary:
    '`triggers` holds keywords, verbs and patterns, and every pattern is a linear-time regular expression.',
  check(skill) {
    return Object.hasOwn(skill.frontmatter, 'triggers')
      ? reportIssues(skill, checkTriggers(skill.frontmatter.triggers))
      : [];
  },
});

/**
 * The files of the skill that a command names: a script at its start, possibly after an interpreter, and anything
 * it names below the skill's directory. Other paths may belong to the project the agent works on.
 */
const OWN_FILES = [
  /^\s*(?:(?:(?:ba|z)?sh|python3?|node|bun|bun run|deno run)\s+)?["']?((?:\.\/|scripts\/)[\w./-]*\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|ps1))(?![\w./-])/g,
  /\$(?:CLAUDE_SKILL_DIR|\{CLAUDE_SKILL_DIR\})["']?\/([\w./-]+)/g,
];

/** SKL113: hooks of the wrong form and commands with a missing script. */
export const hooksValid = defineRule({
  id: 'SKL113',
  name: 'hooks-valid',
  severity: 'error',
  summary: '`hooks` has the form agents read, and the scripts of its commands exist.',
  check(skill) {
    const { hooks } = skill.frontmatter;
    if (hooks === undefined) return [];
    return reportIssues(skill, [...checkHooks(hooks), ...checkCommands(skill, hooks)]);
  },
});

function* checkCommands(skill: LintSubject, hooks: unknown): Generator<FormatIssue> {
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

/** The mappings in a list, with their positions; empty for anything but a list. */
function listMappings(value: unknown): { index: number; entry: Record<string, unknown> }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown, index) => (isMapping(entry) ? [{ index, entry }] : []));
}
