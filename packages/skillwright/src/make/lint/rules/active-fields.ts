// The rules about fields that do something: quizzes, triggers and hooks.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suggest } from '../../../base/diagnostics/index.ts';
import { locateFile, resolveInside } from '../../../base/files/index.ts';
import {
  checkHooks,
  checkQuiz,
  checkTriggers,
  type FormatIssue,
  isMapping,
  isSkillName,
} from '../../../skill/format/index.ts';
import { findSection } from '../../../skill/quiz/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { reportIssues } from '../report-issues.ts';
import type { Rule } from '../rule.ts';

/** A field, the problems of its value, and those of what it names in this skill. */
interface ActiveField extends Pick<Rule, 'id' | 'name' | 'summary'> {
  readonly field: 'quiz' | 'triggers' | 'hooks';
  check(value: unknown): FormatIssue[];
  checkNamed?(value: unknown, skill: LintSubject): Iterable<FormatIssue>;
}

const fields: readonly ActiveField[] = [
  {
    id: 'SKL111',
    name: 'quiz-valid',
    summary: 'Every quiz question has right and wrong answers, and the target of every branch exists.',
    field: 'quiz',
    check: checkQuiz,
    checkNamed: checkTargets,
  },
  {
    id: 'SKL112',
    name: 'triggers-valid',
    summary:
      '`triggers` holds keywords, verbs and patterns, and every pattern is a linear-time regular expression.',
    field: 'triggers',
    check: checkTriggers,
  },
  {
    id: 'SKL113',
    name: 'hooks-valid',
    summary: '`hooks` has the form agents read, and the scripts of its commands exist.',
    field: 'hooks',
    check: checkHooks,
    checkNamed: checkCommands,
  },
];

/** The rules about these fields. */
export const activeFieldRules: readonly Rule[] = fields.map(({ id, name, summary, field, ...row }) => ({
  id,
  name,
  severity: 'error',
  summary,
  check(skill) {
    const value = skill.frontmatter[field];
    if (!Object.hasOwn(skill.frontmatter, field) || value === undefined) return [];
    return reportIssues(skill, [...row.check(value), ...(row.checkNamed?.(value, skill) ?? [])]);
  },
}));

type Path = readonly (string | number)[];

/** Problem with the target of a branch; an error unless it has another severity. */
type Fault = Pick<FormatIssue, 'message'> & Partial<Pick<FormatIssue, 'help' | 'severity'>>;

const explainTarget: Readonly<Record<string, (target: string, skill: LintSubject) => Fault | undefined>> = {
  goto: explainSection,
  'load-reference': explainReference,
  'load-skill': explainSkill,
};

function* checkTargets(quiz: unknown, skill: LintSubject): Generator<FormatIssue> {
  for (const { branch, path } of listBranches(quiz)) {
    for (const [key, explain] of Object.entries(explainTarget)) {
      const target = branch[key];
      if (typeof target !== 'string' || target.trim() === '') continue;
      const fault = explain(target.trim(), skill);
      if (fault === undefined) continue;
      yield { kind: 'value', field: 'quiz', path: [...path, key], severity: 'error', ...fault };
    }
  }
}

function listBranches(quiz: unknown): { branch: Record<string, unknown>; path: Path }[] {
  const blocks = isMapping(quiz) ? [{ entry: quiz, path: ['quiz'] }] : listMappings(quiz, ['quiz']);
  return blocks
    .flatMap(({ entry, path }) => listMappings(entry.questions, [...path, 'questions']))
    .flatMap(({ entry, path }) =>
      ['on-correct', 'on-incorrect'].flatMap((key) => {
        const branch = entry[key];
        return isMapping(branch) ? [{ branch, path: [...path, key] }] : [];
      }),
    );
}

function explainSection(target: string, skill: LintSubject): Fault | undefined {
  const { headings } = skill.markdown();
  if (findSection(headings, target) !== undefined) return undefined;
  const names = headings.slice(0, 500).map(({ text }) => text);
  const [closest] = suggest(target.replace(/^#{1,6}\s+/, ''), names, 1);
  const help = closest && `did you mean ${quoteText(closest)}?`;
  return { message: `goto ${quoteText(target)} is not a heading of SKILL.md`, help };
}

function explainReference(target: string, { dir }: LintSubject): Fault | undefined {
  const path = target.replace(/#.*$/, '');
  const place = [target, path].map((one) => locateFile(dir, one));
  if (place.includes('file')) {
    const isManifest =
      locateFile(dir, path) === 'file' && resolveInside(dir, path) === resolveInside(dir, SKILL_FILE);
    if (!isManifest) return undefined;
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

/**
 * The files of the skill that a command names: a script at its start, possibly after an interpreter, and anything
 * it names below the skill's directory. Other paths may belong to the project the agent works on.
 */
const OWN_FILES = [
  /^\s*(?:(?:(?:ba|z)?sh|python3?|node|bun|bun run|deno run)\s+)?["']?((?:\.\/|scripts\/)[\w./-]*\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|ps1))(?![\w./-])/g,
  /\$(?:CLAUDE_SKILL_DIR|\{CLAUDE_SKILL_DIR\})["']?\/([\w./-]+)/g,
];

function* checkCommands(hooks: unknown, { dir }: LintSubject): Generator<FormatIssue> {
  const handlers = Object.entries(isMapping(hooks) ? hooks : {})
    .flatMap(([event, groups]) => listMappings(groups, ['hooks', event]))
    .flatMap(({ entry, path }) => listMappings(entry.hooks, [...path, 'hooks']));
  for (const { entry, path } of handlers) {
    const { type, command } = entry;
    if (type !== 'command' || typeof command !== 'string') continue;
    for (const [, file] of OWN_FILES.flatMap((pattern) => [...command.matchAll(pattern)])) {
      if (locateFile(dir, file!) === 'file') continue;
      const message = `the command runs ${quoteText(file!)}, which is not a file of the skill`;
      const help = 'add the file, or correct the path: it is relative to the skill directory';
      const at = [...path, 'command'];
      yield { kind: 'value', field: 'hooks', path: at, message, help, severity: 'warning' };
    }
  }
}

/** The mappings in the list at `path`, with their own paths; empty for anything but a list. */
function listMappings(value: unknown, path: Path): { entry: Record<string, unknown>; path: Path }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown, index) =>
    isMapping(entry) ? [{ entry, path: [...path, index] }] : [],
  );
}
