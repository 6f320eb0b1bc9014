// Takes the quizzes of a skill: shows questions, grades answers.

import { join } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Quiz, QuizQuestion } from '../format/index.ts';
import { SKILL_FILE } from '../skill/index.ts';
import { digestSkill } from './digest-skill.ts';
import type { QuizMemory } from './quiz-memory.ts';
import { type FinishedAttempt, progressOn, takeAnswer } from './quiz-progress.ts';
import { orderOptions, type QuizView, viewQuizzes } from './quiz-view.ts';
import { readQuizzes } from './read-quizzes.ts';
import { type QuizSkills, ResolvedBranch, resolveBranch } from './resolve-branch.ts';

/** Result of one answer. */
export const QuizAnswer = z.strictObject({
  quiz: z.int(),
  question: z.int(),
  correct: z.boolean(),
  explanation: z.string().nullable().describe('Withheld after a wrong answer while the gate is closed'),
  ...ResolvedBranch.shape,
  attempt: z
    .strictObject({ score: z.number(), passed: z.boolean(), attempts: z.int() })
    .nullable()
    .describe('Result of the attempt, when this was the last question of the quiz'),
});
export type QuizAnswer = z.output<typeof QuizAnswer>;

/** Options chosen for one question, by the numbers of the view. */
export interface QuizChoice {
  readonly question: number;
  readonly options: readonly number[];
}

/** Dependencies of a quiz. */
interface QuizOptions {
  readonly memory: QuizMemory;
  /** Where `load-skill` finds other skills; without it, only their names are returned. */
  readonly skills?: QuizSkills | undefined;
}

/** A quiz under way. */
export interface QuizRun {
  view(): QuizView;
  /** Answers one question for good. E100 when it does not exist, was answered in this attempt, or its quiz is passed. */
  answer(question: number, options: readonly number[]): Promise<QuizAnswer>;
  /** Answers several; all or none. */
  answerAll(choices: readonly QuizChoice[]): Promise<QuizAnswer[]>;
  /** Forgets all answers and passed quizzes. */
  reset(): void;
}

interface Asked {
  readonly quiz: Quiz;
  readonly quizPlace: number;
  readonly question: QuizQuestion;
  readonly place: number;
}

/** A graded answer. */
interface Graded extends Asked {
  readonly number: number;
  readonly right: boolean;
}

/**
 * Opens the quizzes of the skill in `dir`, a canonical path, with the progress of the session. E014 when they cannot
 * be read; E010, E012, E015 as for every SKILL.md.
 */
export function startQuiz(dir: string, { memory, skills }: QuizOptions): QuizRun {
  const skill = readQuizzes(dir);
  const { quizzes, secret } = skill;
  if (quizzes === undefined) {
    const why = "its quiz cannot be read; run 'skc lint' to see why";
    throw SkillwrightError.of('E014', { path: join(dir, SKILL_FILE), why });
  }
  const digest = digestSkill(dir);
  const asked = quizzes.flatMap((quiz, quizPlace) =>
    quiz.questions.map((question, place): Asked => ({ quiz, quizPlace, question, place })),
  );
  const standing = () => progressOn(quizzes, memory.read(digest));

  const grade = ({ question: number, options }: QuizChoice): Graded => {
    const found = asked[number - 1];
    if (found === undefined) throw refuseAnswer(`there is no question ${number}`);
    const { question, quizPlace, place } = found;
    const count = question.options.length;
    if (options.length === 0) throw refuseAnswer(`no option was chosen for question ${number}`);
    const odd = options.find((option) => !Number.isInteger(option) || option < 1 || option > count);
    if (odd !== undefined) throw refuseAnswer(`question ${number} has no option ${odd}`);
    const order = orderOptions(count, {
      session: memory.session(),
      secret,
      quiz: quizPlace,
      question: place,
    });
    const chosen = new Set(options.map((option) => order[option - 1]));
    const right = question.options.every(({ correct }, option) => correct === chosen.has(option));
    return { ...found, number, right };
  };

  const explain = async ({ quiz, quizPlace, question, number, right }: Graded, passed: boolean) => {
    const branch = question[right ? 'on-correct' : 'on-incorrect'] ?? {};
    return {
      quiz: quizPlace + 1,
      question: number,
      correct: right,
      explanation: right || !quiz.gate || passed ? (question.explanation ?? null) : null,
      ...(await resolveBranch(branch, skill, skills)),
    };
  };

  const answerAll = async (choices: readonly QuizChoice[]): Promise<QuizAnswer[]> => {
    const graded = choices.map(grade);
    const twice = choices.find(({ question }, at) =>
      choices.slice(0, at).some((one) => one.question === question),
    );
    if (twice !== undefined) throw refuseAnswer(`question ${twice.question} is answered twice`);
    const ends = new Map<number, FinishedAttempt | undefined>();
    memory.update(digest, (before) => {
      const standings = [...progressOn(quizzes, before).quizzes];
      for (const { quizPlace, place, number } of graded) {
        const { passed, answers } = standings[quizPlace]!;
        if (passed) throw refuseAnswer(`the quiz of question ${number} is already passed`);
        if (Object.hasOwn(answers, place))
          throw refuseAnswer(`question ${number} is already answered in this attempt`);
      }
      for (const { quiz, quizPlace, place, number, right } of graded) {
        const taken = takeAnswer(quiz, standings[quizPlace]!, { question: place, right });
        standings[quizPlace] = taken.standing;
        ends.set(number, taken.finished);
      }
      return { quizzes: standings };
    });
    const after = standing().quizzes;
    return Promise.all(
      graded.map(async (one) => ({
        ...(await explain(one, after[one.quizPlace]!.passed)),
        attempt: ends.get(one.number) ?? null,
      })),
    );
  };

  return {
    view: () => viewQuizzes(skill, standing(), memory),
    answer: async (question, options) => (await answerAll([{ question, options }]))[0]!,
    answerAll,
    reset: () => memory.forget(digest),
  };
}

const refuseAnswer = (why: string) => SkillwrightError.of('E100', { why });

/** Parses `1=2` and `3=1,4`. E100 for anything else. */
export function readChoices(written: readonly string[]): QuizChoice[] {
  return written.map((text) => {
    const match = /^\s*(\d{1,6})\s*[=:]\s*(\d{1,6}(?:\s*[,+ ]\s*\d{1,6})*)\s*$/.exec(text);
    if (match === null) {
      const why = 'an answer must be a question and its options, such as 1=2 or 1=2,3';
      throw SkillwrightError.of('E100', { why });
    }
    return { question: Number(match[1]), options: match[2]!.split(/\s*[,+ ]\s*/).map(Number) };
  });
}
