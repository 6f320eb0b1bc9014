// Finds the targets of quiz branches within their skill.

import { statSync } from 'node:fs';
import { attempt } from '../../base/diagnostics/index.ts';
import { resolvePart } from '../../base/files/index.ts';
import { foldText, type Heading, readMarkdown } from '../../base/markdown/index.ts';
import type { QuizBranch } from '../format/index.ts';
import { SKILL_FILE } from '../skill/index.ts';
import type { QuizProgress } from './quiz-progress.ts';
import type { SkillQuizzes } from './read-quizzes.ts';

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
  return real !== undefined && statSync(real, { throwIfNoEntry: false })?.isFile() ? real : undefined;
}
