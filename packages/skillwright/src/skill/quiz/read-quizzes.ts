// The current quizzes of a skill, answers included. Never pass them on: views leave the answers out.

import { sha256 } from '../../base/files/index.ts';
import { type Quiz, QuizList } from '../format/index.ts';
import { openSkill, type Skill } from '../skill/index.ts';

/** A skill and its quizzes. */
export type SkillQuizzes = Skill & {
  /** In file order; undefined when they cannot be parsed, and so cannot be taken. */
  readonly quizzes: readonly Quiz[] | undefined;
  /** Secret: only a reader of the frontmatter can derive it. */
  readonly secret: string;
};

/** True when the skill in `dir` has a gate. E010, E012, E015 when its SKILL.md cannot be read. */
export function isGatedSkill(dir: string): boolean {
  return openSkill(dir).gated;
}

/** The quizzes of the skill in `dir`; an empty list when it has none. E010, E012, E015 when SKILL.md cannot be read. */
export function readQuizzes(dir: string): SkillQuizzes {
  const skill = openSkill(dir);
  const { quiz } = skill.frontmatter;
  const quizzes = quiz === undefined ? [] : QuizList.safeParse(quiz).data;
  return {
    ...skill,
    quizzes: skill.parts.data === undefined ? undefined : quizzes,
    secret: sha256(`quiz\0${skill.parts.yaml}`),
  };
}
