// skc quiz: the questions of a skill, and the answers to them.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  QuizAnswer,
  type QuizRun,
  type QuizSkills,
  QuizView,
  readChoices,
  renderAnswers,
  renderQuiz,
  servedAnswers,
} from '../../skill/quiz/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { flag, own, text, texts } from './fields.ts';

/** Asks and grades the questions, and unlocks the skill. */
export const quiz = defineCommand({
  fields: {
    skill: text('A skill by name or path', { required: true }),
    answer: texts('Answer a question with one or more options, such as 1=2 or 1=2,3'),
    status: flag('Show the state of the quizzes, and ask nothing'),
    reset: own(flag('Forget the answers and start over')),
  },
  positionals: ['skill'],
  output: z.object({
    answers: z.array(QuizAnswer).describe('Results of the answers in this call'),
    quiz: QuizView.describe('The current state of the quizzes'),
  }),
  effect: 'write',
  writes: ['state'],
  touches: { skill: 'skill', operation: 'read' },
  logged: ({ skill, status, reset }) => ({ skill, status, reset }),
  served: ({ answers, quiz: view }) => servedAnswers(answers, view),
  about:
    'A skill with a gate stays locked until you pass its quiz. One or more options of a question may be right, and you must choose exactly those. Answers are final until the attempt is over. A pass holds for the session in SKC_SESSION, else for 24 hours in the project, and ends when the skill is edited. On a terminal the questions are asked one by one.',
  examples: {
    'skc quiz api-onboarding': 'show or ask the questions',
    'skc quiz api-onboarding --answer 1=2 --answer 2=1,3': 'answer two questions',
    'skc quiz api-onboarding --status --json': 'show its state',
  },
  async run(input, context) {
    const { startQuiz } = await import('../../skill/quiz/start-quiz.ts');
    if (input.answer.length > 0 && (input.status || input.reset)) {
      const why = '--answer excludes --status and --reset';
      throw SkillwrightError.of('E100', { why });
    }
    const choices = readChoices(input.answer);
    const run = startQuiz(context.skill!.dir, {
      memory: await context.memory(),
      skills: otherSkills(context),
    });
    if (input.reset) run.reset();
    const isAsked = choices.length === 0 && !input.status && !input.reset && context.ask !== undefined;
    const answers = isAsked
      ? await askAll(run, context)
      : choices.length === 0
        ? []
        : await run.answerAll(choices);
    return { answers, quiz: run.view() };
  },
  text: ({ answers, quiz: view }) =>
    `${[...(answers.length === 0 ? [] : [renderAnswers(answers)]), renderQuiz(view)].join('\n\n')}\n`,
});

/** Asks a person all open questions on one form. A new attempt takes a new call. */
async function askOnForm(run: QuizRun, context: CommandContext): Promise<z.output<typeof QuizAnswer>[]> {
  const { skill, quizzes } = run.view();
  const open = quizzes
    .filter(({ passed }) => !passed)
    .flatMap(({ questions }) => questions.filter(({ answered }) => !answered));
  if (open.length === 0) return [];
  const chosen = await context.ask!.chooseAll!({
    dir: context.skill!.dir,
    title: skill,
    questions: open.map(({ question, text, options }) => ({
      text: `${question}. ${text}`,
      choices: options.map((option) => ({ label: option.text })),
    })),
  });
  if (chosen === undefined) return [];
  return run.answerAll(
    open.map(({ question }, index) => ({
      question,
      options: (chosen[index] ?? []).map((place) => place + 1),
    })),
  );
}

/** Asks a person question by question, until all quizzes are passed or the person gives up. */
async function askAll(run: QuizRun, context: CommandContext): Promise<z.output<typeof QuizAnswer>[]> {
  if (context.ask!.chooseAll !== undefined) return askOnForm(run, context);
  const answers: z.output<typeof QuizAnswer>[] = [];
  for (;;) {
    const open = run.view().quizzes.filter(({ passed }) => !passed);
    const next = open.flatMap(({ questions }) => questions).find(({ answered }) => !answered);
    if (next === undefined) return answers;
    const choices = next.options.map(({ text }) => ({ label: text }));
    // Always a multiple choice: the number of right options is part of the answer.
    const chosen = await context.ask!.choose(`${next.question}. ${next.text}`, choices, { many: true });
    if (chosen === undefined) return answers;
    const answer = await run.answer(
      next.question,
      chosen.map((place) => place + 1),
    );
    context.note(renderAnswers([answer]));
    answers.push(answer);
    if (answer.attempt !== null && !answer.attempt.passed && !(await context.ask!.confirm('Try again?')))
      return answers;
  }
}

/** The skills a branch may load: the session's, opened when one is needed. */
function otherSkills(context: CommandContext): QuizSkills {
  const open = async () => {
    const [{ openSession }, { quizSkills }] = await Promise.all([
      import('./open-session.ts'),
      import('../../host/runtime/session-quiz.ts'),
    ]);
    const { by } = context;
    const session = await openSession(context);
    return quizSkills({
      async find(name) {
        const { metadata } = await session.load({ name }, { by });
        return metadata;
      },
      load: async (name) => (await session.load({ name }, { by, force: true })).text,
    });
  };
  return {
    locate: async (name) => (await open()).locate(name),
    load: async (name) => (await open()).load(name),
  };
}
