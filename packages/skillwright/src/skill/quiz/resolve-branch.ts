// Resolves the branch of an answer to texts.

import * as z from 'zod';
import { attempt, SkillwrightError, startOf } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  MAX_TEXT_BYTES,
  readInside,
  resolvePart,
  splitLines,
  targetAt,
} from '../../base/files/index.ts';
import { foldText, type Heading, readMarkdown } from '../../base/markdown/index.ts';
import type { QuizBranch } from '../format/index.ts';
import { SKILL_FILE } from '../skill/index.ts';
import type { QuizProgress } from './quiz-progress.ts';
import { readQuizzes, type SkillQuizzes } from './read-quizzes.ts';

/** Access to other skills on behalf of the caller. */
export interface QuizSkills {
  /** Directory of the skill with this name; undefined when the caller may use none. */
  locate(name: string): Promise<string | undefined>;
  /** Its text for the reader, or its quiz. */
  load(name: string): Promise<string>;
}

/** Texts an answer leads to. */
export const ResolvedBranch = z.strictObject({
  message: z.string().nullable(),
  section: z
    .strictObject({ section: z.string(), content: z.string(), truncated: z.boolean() })
    .nullable()
    .describe('The section of SKILL.md to read now'),
  reference: z
    .strictObject({ path: z.string(), content: z.string(), truncated: z.boolean() })
    .nullable()
    .describe('The file to read now'),
  skill: z
    .strictObject({ name: z.string(), content: z.string().nullable() })
    .nullable()
    .describe('The skill to read now; without content when the reader has to load it'),
  problems: z.array(z.string()).describe('Parts of the branch that could not be loaded'),
});
export type ResolvedBranch = z.output<typeof ResolvedBranch>;

/** Longest text returned at once. */
const MAX_CHARACTERS = 64 * 1024;
/** Most skills to check for a cycle. */
const MAX_CHAIN = 100;

/** Resolves the texts of a branch. Never throws for missing texts: it lists them as problems. */
export async function resolveBranch(
  branch: QuizBranch,
  skill: SkillQuizzes,
  skills: QuizSkills | undefined,
): Promise<ResolvedBranch> {
  const { goto, message = null, 'load-reference': file, 'load-skill': other } = branch;
  const section = goto === undefined ? null : sectionOf(skill, goto);
  const reference = file === undefined ? null : referenceOf(skill, file);
  const loaded = other === undefined ? null : await skillOf(skill, other, skills);
  const problems = [
    section === undefined && 'the section to go to does not exist',
    reference === undefined && 'the file to read does not exist or is not text',
    typeof loaded === 'string' && loaded,
  ].filter((problem) => typeof problem === 'string');
  return {
    message,
    section: section ?? null,
    reference: reference ?? null,
    skill: typeof loaded === 'string' ? null : loaded,
    problems,
  };
}

function sectionOf({ markdown, parts }: SkillQuizzes, target: string): ResolvedBranch['section'] | undefined {
  const heading = findSection(markdown().headings, target);
  if (heading === undefined) return undefined;
  const { body, bodyLine } = parts;
  const lines = splitLines(body).slice(heading.line - bodyLine, heading.endLine - bodyLine + 1);
  return { section: heading.text, ...cutContent(lines.join('\n').trimEnd()) };
}

/** Undefined also for a directory, and for a file that is too large, unreadable or not text. */
function referenceOf({ dir }: SkillQuizzes, target: string): ResolvedBranch['reference'] | undefined {
  const found = findReference(dir, target);
  const bytes = found && attempt(() => readInside(dir, found.path, { maxBytes: MAX_TEXT_BYTES }));
  const decoded = bytes && decodeText(bytes);
  if (decoded === undefined || decoded.binary || !decoded.valid) return undefined;
  return { path: found!.path, ...cutContent(decoded.text.replace(/^\ufeff/, '')) };
}

async function skillOf(
  { name: from, dir }: SkillQuizzes,
  name: string,
  skills: QuizSkills | undefined,
): Promise<ResolvedBranch['skill'] | string> {
  if (name === from) return 'the skill to load is this one';
  if (skills === undefined) return { name, content: null };
  try {
    const first = await skills.locate(name);
    if (first === undefined) return `the skill ${name} was not found`;
    if (await leadsBack(first, dir, skills)) return `the quiz of ${name} leads back to this skill`;
    return { name, content: await skills.load(name) };
  } catch (error) {
    // The answer stands even when its target cannot be loaded.
    if (error instanceof SkillwrightError) return `the skill ${name} cannot be loaded (${error.code})`;
    throw error;
  }
}

/** Whether the gates from `start` on lead back to the skill in `home`. */
async function leadsBack(start: string, home: string, skills: QuizSkills): Promise<boolean> {
  const seen = new Set<string>([start]);
  for (const dir of seen) {
    if (dir === home) return true;
    if (seen.size > MAX_CHAIN) break;
    const { gated, quizzes = [] } = readQuizzes(dir);
    const questions = gated ? quizzes.flatMap((quiz) => quiz.questions) : [];
    for (const branch of questions.flatMap((one) => [one['on-correct'], one['on-incorrect']])) {
      const next = branch?.['load-skill'];
      const place = next === undefined ? undefined : await skills.locate(next);
      if (place !== undefined) seen.add(place);
    }
  }
  return false;
}

function cutContent(text: string): { content: string; truncated: boolean } {
  if (text.length <= MAX_CHARACTERS) return { content: text, truncated: false };
  return { content: startOf(text, MAX_CHARACTERS), truncated: true };
}

/** The SKILL.md section a `goto` refers to: `## Setup Steps`, `Setup Steps`, `#setup-steps` or `setup-steps`. */
export function findSection(headings: readonly Heading[], target: string): Heading | undefined {
  const trimmed = target.trim();
  const isMarked = /^#{1,6}\s/.test(trimmed);
  const wanted = foldText(isMarked ? (readMarkdown(trimmed).headings[0]?.text ?? trimmed) : trimmed);
  return (
    headings.find(({ text }) => foldText(text) === wanted) ??
    headings.find(({ anchor }) => [anchor, `#${anchor}`].map(foldText).includes(wanted))
  );
}

/** The file a `load-reference` refers to, with its real path; undefined when missing, or when it is SKILL.md itself. */
export function findReference(dir: string, target: string): { path: string; real: string } | undefined {
  const trimmed = target.trim();
  for (const path of new Set([trimmed, trimmed.replace(/#.*$/, '')])) {
    const real = realFile(dir, path);
    if (real !== undefined && real !== realFile(dir, SKILL_FILE))
      return { path: path.replace(/^(?:\.\/)+/, ''), real };
  }
  return undefined;
}

/**
 * Branches whose targets may be read while the gate is closed: targets of wrong answers at any time, because the reader
 * needs them first; targets of right answers once given.
 */
export function openBranches({ quizzes = [] }: SkillQuizzes, progress: QuizProgress): QuizBranch[] {
  return quizzes
    .flatMap(({ questions }, place) =>
      questions.flatMap((question, index) => [
        question['on-incorrect'] ?? [],
        (progress.quizzes[place]?.known.includes(index) && question['on-correct']) || [],
      ]),
    )
    .flat();
}

function realFile(dir: string, path: string): string | undefined {
  if (path === '') return undefined;
  // A path that leads out or cannot be read has no target.
  const real = attempt(() => resolvePart(dir, path));
  return real !== undefined && targetAt(real)?.isFile() ? real : undefined;
}
