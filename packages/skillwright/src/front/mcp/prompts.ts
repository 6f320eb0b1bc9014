// Prompts: one for every skill that users may call by name.

import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { quizInstead } from '../../host/runtime/index.ts';
import { claudeFields, readFrontmatter, readSkillText } from '../../skill/format/index.ts';
import { type QuizMemory, type QuizView, renderQuiz } from '../../skill/quiz/index.ts';
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
  /** Which quizzes were passed. */
  readonly quizMemory: QuizMemory;
}

/** The body of a skill as a message, or the quiz that keeps it closed; invalid parameters when no prompt has that name. */
export async function renderPrompt(
  skills: readonly ServedSkill[],
  { name, values, quizMemory }: PromptRequest,
): Promise<GetPromptResult> {
  const skill = skills.find((candidate) => candidate.label === name && isInvocable(candidate));
  const content = skill === undefined ? undefined : readSkillText(skill.dir);
  if (skill === undefined || content === undefined || content.problem !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
  const body = readFrontmatter(content.text).body.trim();
  const quiz = await quizFor(skill, quizMemory);
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

async function quizFor(skill: ServedSkill, memory: QuizMemory): Promise<QuizView | undefined> {
  try {
    return await quizInstead(skill, memory);
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
  const flag = claudeFields['user-invocable'].safeParse(frontmatter['user-invocable'] ?? true);
  return !flag.success || flag.data;
}
