// Methods about a message of the user's: which skills it names or calls for, and how one is carried out.

import * as z from 'zod';
import { wireSkill } from '../../host/runtime/index.ts';
import { HOOK_TYPES } from '../../skill/format/index.ts';
import { QuizAnswer, QuizView } from '../../skill/quiz/index.ts';
import { defineMethod } from './define-method.ts';
import { Remark, SkillMetadata, withReference } from './wire-shapes.ts';

/** Messages are short; more of one is refused rather than looked at in part. */
const Message = z.string().max(1024 * 1024);

/** A hook as the skill has it; what else it holds depends on its type. */
const Handler = z.looseObject({ type: z.enum(HOOK_TYPES) });

/** `skills.mentions` */
export const findMentions = defineMethod({
  summary: 'Find the skills that a message of the user names, as $name or as a link',
  params: z.strictObject({ text: Message }),
  result: z.strictObject({
    mentions: z.array(
      z.strictObject({
        text: z.string().describe('As written'),
        start: z.int().describe('Where it stands, in UTF-16 code units'),
        end: z.int(),
        name: z.string(),
        skill: SkillMetadata.nullable().describe('Null when it cannot be said or may not be used'),
        problem: z.enum(['ambiguous', 'denied', 'model-only', 'unavailable', 'not-in-catalog']).nullable(),
        candidates: z.array(z.string()).describe('Paths, when the name is ambiguous'),
      }),
    ),
  }),
  async run({ text }, connection) {
    const mentions = await (await connection.session()).mentions(text);
    return {
      mentions: mentions.map(({ skill, ...rest }) => ({
        ...rest,
        skill: skill === null ? null : wireSkill(skill),
      })),
    };
  },
});

/** `skills.triggers` */
export const findTriggers = defineMethod({
  summary: 'Find the skills whose triggers a message meets, best first',
  params: z.strictObject({ text: Message }),
  result: z.strictObject({
    matches: z.array(
      z.strictObject({
        skill: SkillMetadata,
        score: z.number().describe('From 0 to 1'),
        reasons: z.array(
          z.strictObject({
            kind: z.enum(['name', 'keyword', 'verb', 'pattern']),
            value: z.string().describe('The trigger'),
            matched: z.string().describe('The part of the message'),
          }),
        ),
      }),
    ),
  }),
  async run({ text }, connection) {
    const matches = await (await connection.session()).triggers(text);
    return { matches: matches.map(({ skill, ...rest }) => ({ ...rest, skill: wireSkill(skill) })) };
  },
});

/** `skills.plan` */
export const planSkill = defineMethod({
  summary: 'Get what is needed to carry a skill out with arguments',
  params: withReference({
    arguments: z
      .union([z.string(), z.array(z.string())])
      .default('')
      .describe('As the user typed them, or cut into words'),
    by: z.enum(['user', 'model']).default('user').describe('Who wants it carried out'),
  }),
  result: z.strictObject({
    skill: z.strictObject({ id: z.string(), name: z.string(), path: z.string(), dir: z.string() }),
    body: z.string().describe('For the model, with the arguments filled in'),
    arguments: z.array(z.string()),
    mode: z.enum(['inline', 'fork']).describe('fork: in a conversation of its own'),
    agent: z.string().nullable().describe('The kind of agent for a fork'),
    model: z.string().nullable().describe('Null: the model of the conversation'),
    effort: z.string().nullable(),
    background: z.boolean(),
    allowed_tools: z.array(z.string()),
    disallowed_tools: z.array(z.string()),
    hooks: z.array(z.strictObject({ event: z.string(), matcher: z.string().nullable(), handler: Handler })),
    files: z.strictObject({
      entries: z.array(z.strictObject({ path: z.string(), files: z.int() })),
      total: z.int(),
      missing: z.int(),
      truncated: z.boolean(),
    }),
    quiz: QuizView.nullable().describe('What has to be passed first; then the body is its text'),
    dynamic: z
      .array(z.strictObject({ command: z.string(), written: z.string(), line: z.int() }))
      .describe('Commands of the body; they are never run here'),
    diagnostics: z.array(Remark),
  }),
  async run({ arguments: args, by, ...reference }, connection) {
    const plan = await (await connection.session()).plan(reference, args, { by });
    const { allowedTools, disallowedTools, issues: _, ...rest } = plan;
    return { ...rest, allowed_tools: allowedTools, disallowed_tools: disallowedTools };
  },
});

/** `skills.quiz` */
export const showQuiz = defineMethod({
  summary: 'Get the quizzes of a skill and how they stand',
  params: withReference({}),
  result: QuizView,
  run: async (reference, connection) => (await connection.session()).quiz(reference),
});

/** `skills.answerQuiz` */
export const answerQuiz = defineMethod({
  summary: 'Answer questions of a quiz, all of them or none',
  params: withReference({
    choices: z
      .array(z.strictObject({ question: z.int(), options: z.array(z.int()).max(1000) }))
      .min(1)
      .max(1000)
      .describe('By the numbers that skills.quiz gives'),
  }),
  result: z.strictObject({ answers: z.array(QuizAnswer), quiz: QuizView }),
  async run({ choices, ...reference }, connection) {
    return (await connection.session()).answerQuiz(reference, choices);
  },
});
