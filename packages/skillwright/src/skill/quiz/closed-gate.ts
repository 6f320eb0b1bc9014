// The gate of a skill: closed until every gating quiz was passed for the current files.

import { attempt, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { resolveInside } from '../../base/files/index.ts';
import { SKILL_FILE } from '../skill/index.ts';
import { digestSkill } from './digest-skill.ts';
import type { QuizMemory } from './quiz-memory.ts';
import { isOpen, progressOn } from './quiz-progress.ts';
import { readQuizzes, type SkillQuizzes } from './read-quizzes.ts';
import { findReference, findSection, openBranches } from './resolve-branch.ts';

/** A closed gate, and the parts that may be read anyway. */
export interface ClosedGate {
  /** The name of the skill. */
  readonly skill: string;
  /** False when its quiz is damaged and cannot be passed. */
  readonly takable: boolean;
  /** Headings of SKILL.md and files that branches refer to. */
  readonly readable: { readonly sections: readonly string[]; readonly files: readonly string[] };
  /** Whether a whole file may be read; never true for SKILL.md. */
  allowsFile(path: string): boolean;
  /** Whether the section that starts at a line of a file may be read. */
  allowsSection(section: { readonly file: string; readonly start_line: number }): boolean;
  /** E062, for a refused read. `word` is the caller's name for the skill. */
  refusal(word?: string): SkillwrightError;
}

/** Returns the memory of a session; only called for skills that have a gate. */
export type FindMemory = () => QuizMemory | undefined | Promise<QuizMemory | undefined>;

/** The closed gate of the skill in `dir`; undefined when it has none or it was passed. Cheap for skills without a quiz. */
export async function findClosedGate(
  dir: string,
  memory: FindMemory,
  digest?: string,
): Promise<ClosedGate | undefined> {
  const skill = readQuizzes(dir);
  return skill.gated ? gateOf(skill, await memory(), digest) : undefined;
}

/** Same with a given memory; without one, no quiz counts as passed. */
export function closedGateOf(dir: string, memory: QuizMemory | undefined): ClosedGate | undefined {
  const skill = readQuizzes(dir);
  return skill.gated ? gateOf(skill, memory) : undefined;
}

/** `digest`: that of all files, when already computed. */
function gateOf(
  skill: SkillQuizzes,
  memory: QuizMemory | undefined,
  digest?: string,
): ClosedGate | undefined {
  const { dir, quizzes = [] } = skill;
  const progress = progressOn(quizzes, memory?.read(digest ?? digestSkill(dir)));
  const isTakable = quizzes.some(({ gate }) => gate);
  if (isTakable && isOpen(quizzes, progress)) return undefined;

  const branches = openBranches(skill, progress);
  const { headings } = skill.markdown();
  const sections = branches.flatMap(({ goto }) => (goto && findSection(headings, goto)) || []);
  const files = branches.flatMap((branch) => {
    const target = branch['load-reference'];
    return (target && findReference(dir, target)) || [];
  });
  const allowsFile = (path: string): boolean => {
    const real = attempt(() => resolveInside(dir, path));
    return files.some((file) => file.real === real);
  };
  const readable = {
    sections: [...new Set(sections.map(({ text }) => text))],
    files: [...new Set(files.map(({ path }) => path))],
  };
  return {
    skill: skill.name,
    takable: isTakable,
    readable,
    allowsFile,
    allowsSection: ({ file, start_line }) =>
      file === SKILL_FILE
        ? sections.some(({ line, endLine }) => line <= start_line && start_line <= endLine)
        : allowsFile(file),
    refusal: (word = skill.name) =>
      SkillwrightError.of(
        'E062',
        { skill: word },
        {
          help: isTakable
            ? `take the quiz first: skc quiz ${quoteWord(word)}`
            : `its quiz is broken and cannot be passed; to see why: skc lint ${quoteWord(word)}`,
          data: { skill: skill.name, readable },
        },
      ),
  };
}
