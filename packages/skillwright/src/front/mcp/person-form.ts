// The form a client shows to the person, and a strict parser for the answer: only a valid answer to the form
// counts.

import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { oneLine } from '../../base/diagnostics/index.ts';
import type { PersonAnswer, PersonQuestion, Span } from './person-question.ts';

/** Choices as shown to the person. */
const spans = {
  once: 'Allow once',
  connection: 'Allow until this connection ends',
  always: 'Always allow this version of the skill',
} as const satisfies Record<Span, string>;

/** Why there was no answer. */
export type Refusal = 'declined' | 'cancelled' | 'not answered';

/** The client's response. */
const Reply = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()).nullish(),
});

/** Choices available for a question. */
const spansOf = (question: PersonQuestion, lasts: boolean): Span[] => [
  'once',
  ...(lasts ? (['connection'] as const) : []),
  ...(question.kind === 'confirm' && question.remembers ? (['always'] as const) : []),
];

/** The form for a question; `lasts` when the connection does. */
export function formOf(question: PersonQuestion, { lasts }: { lasts: boolean }): ElicitRequestFormParams {
  const skill = `${oneLine(question.skill)} (${oneLine(question.dir)})`;
  if (question.kind === 'quiz') {
    const properties = question.questions.map(({ text, options }, index) => [
      fieldOf(index),
      {
        type: 'array' as const,
        title: oneLine(text),
        minItems: 1,
        maxItems: options.length,
        items: { anyOf: options.map((label, place) => ({ const: `${place + 1}`, title: oneLine(label) })) },
      },
    ]);
    return {
      mode: 'form',
      message: `Quiz of the skill ${skill}. More than one option may be correct; select all correct ones.`,
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: question.questions.map((_, index) => fieldOf(index)),
      },
    };
  }
  const wants = question.tool === 'skill_run' ? 'run code from' : 'read';
  return {
    mode: 'form',
    message: `The agent wants to ${wants} the skill ${skill}. Your rules require you to confirm this.`,
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Allow this?',
          enum: spansOf(question, lasts).map((span) => spans[span]),
        },
      },
      required: ['answer'],
    },
  };
}

/** The person's answer, or why there is none. */
export function readReply(
  question: PersonQuestion,
  reply: unknown,
  { lasts }: { lasts: boolean },
): PersonAnswer | Refusal {
  const read = Reply.safeParse(reply);
  if (!read.success) return 'not answered';
  if (read.data.action !== 'accept') return read.data.action === 'decline' ? 'declined' : 'cancelled';
  const content = read.data.content ?? {};
  const { dir, digest } = question;
  if (question.kind === 'quiz') {
    const chosen = question.questions.map(({ options }, index) =>
      readChosen(content[fieldOf(index)], options.length),
    );
    const all = chosen.flatMap((one) => (one === undefined ? [] : [one]));
    return all.length === chosen.length ? { kind: 'quiz', dir, digest, chosen: all } : 'not answered';
  }
  const span = spansOf(question, lasts).find((candidate) => spans[candidate] === content.answer);
  return span === undefined ? 'not answered' : { kind: 'confirm', dir, digest, tool: question.tool, span };
}

/** Indexes of the chosen options; undefined when they are not on the form. */
function readChosen(value: unknown, count: number): number[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const places = value.map((one) => (typeof one === 'string' ? Number(one) - 1 : Number.NaN));
  return places.every((place) => Number.isInteger(place) && place >= 0 && place < count)
    ? [...new Set(places)]
    : undefined;
}

const fieldOf = (index: number) => `question_${index + 1}`;
