// Prompts: one for every skill that users may call by name.

import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { quizInstead } from '../../host/runtime/index.ts';
import { readFlag } from '../../skill/format/index.ts';
import { tryOpen } from '../../skill/judge/index.ts';
import { renderQuiz } from '../../skill/quiz/index.ts';
import type { CommandContext } from '../commands/index.ts';
import { cutText, MAX_CHARACTERS } from './cap-output.ts';
import type { ServedSkill } from './list-served-skills.ts';

/** The one argument of every prompt: what the user wrote after the name. */
const ARGUMENT = 'arguments';

/** The prompts of these skills. */
export function describePrompts(skills: readonly ServedSkill[]): Prompt[] {
  return skills.filter(isInvocable).map(({ label, frontmatter }) => {
    const hint = frontmatter['argument-hint'];
    const { description } = frontmatter;
    return {
      name: label,
      ...(typeof description === 'string' ? { description } : {}),
      arguments: [
        {
          name: ARGUMENT,
          description: typeof hint === 'string' && hint !== '' ? hint : 'Text for the skill',
        },
      ],
    };
  });
}

/** Which prompt, and who asks. */
export interface PromptRequest {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly context: CommandContext;
}

/** The body of a skill as a message, or the quiz that keeps it closed; invalid parameters when no prompt has that name. */
export async function renderPrompt(
  skills: readonly ServedSkill[],
  { name, values, context }: PromptRequest,
): Promise<GetPromptResult> {
  const skill = skills.find((candidate) => candidate.label === name && isInvocable(candidate));
  const content = skill === undefined ? undefined : tryOpen(skill.dir);
  if (skill === undefined || content === undefined || content.problem !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
  await asProtocol(() => context.access.openAt(skill.dir, { operation: 'read' }));
  const body = content.parts.body.trim();
  const quiz = await asProtocol(async () => quizInstead(skill, await context.memory()));
  const filled = quiz === undefined ? fillArguments(body, values[ARGUMENT]?.trim() ?? '') : renderQuiz(quiz);
  const text = capPrompt(filled, skill);
  const { description } = skill.frontmatter;
  return {
    ...(typeof description === 'string' ? { description } : {}),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** Puts what the user wrote where the skill asks for it, at the end when it does not. */
export function fillArguments(body: string, written: string): string {
  const place = /\$ARGUMENTS(?!\[|\w)/g;
  if (place.test(body)) return body.replace(place, () => written);
  return written === '' ? body : `${body}\n\nARGUMENTS: ${written}`;
}

/** What may not be given is told as the protocol tells it. */
async function asProtocol<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`);
  }
}

function capPrompt(text: string, { name }: ServedSkill): string {
  const kept = cutText(text, MAX_CHARACTERS);
  if (kept === text) return text;
  return `${kept}\n... cut after ${MAX_CHARACTERS} characters; read the rest with skc_outline and skc_show of ${name}\n`;
}

function isInvocable({ frontmatter }: ServedSkill): boolean {
  return readFlag(frontmatter['user-invocable'] ?? true) ?? true;
}
