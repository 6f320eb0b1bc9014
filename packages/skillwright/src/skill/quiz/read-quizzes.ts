// The current quizzes of a skill, answers included. Never pass them on: views leave the answers out.

import { sha256 } from '../../base/files/index.ts';
import { type Quiz, QuizList } from '../format/index.ts';
import { openSkill } from '../skill/index.ts';

/** A skill and its quizzes. */
export interface SkillQuizzes {
  /** Canonical directory. */
  readonly dir: string;
  readonly name: string;
  /** Whether one of them is a gate. */
  readonly gated: boolean;
  /** In file order; undefined when they cannot be parsed, and so cannot be taken. */
  readonly quizzes: readonly Quiz[] | undefined;
  /** Secret: only a reader of the frontmatter can derive it. */
  readonly secret: string;
  readonly body: string;
  /** Line of the file where the body starts. */
  readonly bodyLine: number;
}

/** True when the skill in `dir` has a gate. E010, E012, E015 when its SKILL.md cannot be read. */
export function isGatedSkill(dir: string): boolean {
  return openSkill(dir).gated;
}

/** The quizzes of the skill in `dir`; an empty list when it has none. E010, E012, E015 when SKILL.md cannot be read. */
export function readQuizzes(dir: string): SkillQuizzes {
  const { name, gated, frontmatter, parts } = openSkill(dir);
  return {
    dir,
    name,
    gated,
    quizzes: parts.data === undefined ? undefined : listQuizzes(frontmatter),
    secret: sha256(`quiz\0${parts.yaml}`),
    body: parts.body,
    bodyLine: parts.bodyLine,
  };
}

function listQuizzes(data: Readonly<Record<string, unknown>>): readonly Quiz[] | undefined {
  return data.quiz === undefined ? [] : QuizList.safeParse(data.quiz).data;
}
