// SKL111: a quiz can be passed, and its branches lead somewhere.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suggest } from '../../../base/diagnostics/index.ts';
import { locateFile, resolveInside } from '../../../base/files/index.ts';
import { foldText, readMarkdown } from '../../../base/markdown/index.ts';
import { checkQuiz, type FormatIssue, isMapping, isSkillName } from '../../../skill/format/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSkill } from '../lint-skill.ts';
import { listMappings } from '../list-mappings.ts';
import { quoteText } from '../quote-text.ts';
import { reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

type Path = readonly (string | number)[];

/** Problem with a target; an error unless it has another severity. */
type Fault = Pick<FormatIssue, 'message'> & Partial<Pick<FormatIssue, 'help' | 'severity'>>;

/** Reports problems of a quiz and branches that lead nowhere. */
export const quizValid = defineRule({
  id: 'SKL111',
  name: 'quiz-valid',
  severity: 'error',
  summary: 'Every quiz question has right and wrong answers, and the target of every branch exists.',
  check(skill) {
    const { quiz } = skill.data;
    if (quiz === undefined) return [];
    return reportIssues(skill, [...checkQuiz(quiz), ...checkTargets(skill, quiz)]);
  },
});

function* checkTargets(skill: LintSkill, quiz: unknown): Generator<FormatIssue> {
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
function listSectionNames({ markdown }: LintSkill): ReadonlySet<string> {
  const names = markdown.headings.flatMap(({ text, anchor }) => [text, anchor, `#${anchor}`]);
  return new Set(names.map(foldText));
}

function explainSection(
  target: string,
  { skill, sections }: { skill: LintSkill; sections: ReadonlySet<string> },
): Fault | undefined {
  const written = /^#{1,6}\s/.test(target) ? (readMarkdown(target).headings[0]?.text ?? target) : target;
  if (sections.has(foldText(written))) return undefined;
  const headings = skill.markdown.headings.slice(0, 500).map(({ text }) => text);
  const [closest] = suggest(written, headings, 1);
  return {
    message: `goto ${quoteText(target)} is not a heading of SKILL.md`,
    help: closest === undefined ? undefined : `did you mean ${quoteText(closest)}?`,
  };
}

function explainReference(target: string, { dir }: LintSkill): Fault | undefined {
  const place = [target, target.replace(/#.*$/, '')].map((path) => locateFile(dir, path));
  if (place.includes('file')) {
    if (!leadsTo(dir, target, SKILL_FILE)) return undefined;
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
function leadsTo(dir: string, target: string, file: string): boolean {
  const path = target.replace(/#.*$/, '');
  return locateFile(dir, path) === 'file' && resolveInside(dir, path) === resolveInside(dir, file);
}

function explainSkill(target: string, { dir, data }: LintSkill): Fault | undefined {
  if (target === data.name) return { message: `load-skill ${quoteText(target)} is this skill itself` };
  if (!isSkillName(target)) return { message: `load-skill ${quoteText(target)} is not a valid skill name` };
  if (existsSync(join(dirname(dir), target, SKILL_FILE))) return undefined;
  return {
    message: `load-skill ${quoteText(target)} is not next to this skill`,
    help: 'users of this skill need to install it too',
    severity: 'warning',
  };
}
