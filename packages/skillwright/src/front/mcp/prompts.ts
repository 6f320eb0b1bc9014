// Prompts: one for every skill users may invoke by name.

import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { quizInstead, substituteArguments } from '../../host/runtime/index.ts';
import { readFlag, readManifest } from '../../skill/format/index.ts';
import { tryOpen } from '../../skill/judge/index.ts';
import { renderQuiz } from '../../skill/quiz/index.ts';
import type { CommandContext } from '../commands/index.ts';
import { cutText, MAX_CHARACTERS } from './cap-output.ts';
import type { ServedSkill } from './server-state.ts';
import { orRefuse } from './skill-source.ts';

/** Argument of a prompt whose skill names none: the text after the name. */
const ARGUMENT = 'arguments';

/** The prompts of these skills. */
export function describePrompts(skills: readonly ServedSkill[]): Prompt[] {
  return skills.filter(isInvocable).map((skill) => {
    const { label, frontmatter } = skill;
    const hint = frontmatter['argument-hint'];
    const { description } = frontmatter;
    return {
      name: label,
      ...(typeof description === 'string' ? { description } : {}),
      arguments: argumentsOf(skill).map((name) => ({
        name,
        description: typeof hint === 'string' && hint !== '' ? hint : 'Text for the skill',
      })),
    };
  });
}

/** The names of a prompt's arguments. */
export function argumentsOf({ frontmatter }: Pick<ServedSkill, 'frontmatter'>): readonly string[] {
  if (frontmatter.arguments === undefined) return [ARGUMENT];
  const { manifest } = readManifest({ ...frontmatter });
  return manifest.arguments === undefined || manifest.arguments.length === 0
    ? [ARGUMENT]
    : manifest.arguments;
}

/** The skill of a prompt; invalid params when no prompt has that name. */
export function findPrompt(skills: readonly ServedSkill[], name: string): ServedSkill {
  const skill = skills.find((candidate) => candidate.label === name && isInvocable(candidate));
  if (skill === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
  return skill;
}

/** The prompt and its caller. */
interface PromptRequest {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly context: CommandContext;
}

/** The body of a skill as a message, or the quiz that locks it; invalid params when no prompt has that name. */
export async function renderPrompt(
  skills: readonly ServedSkill[],
  { name, values, context }: PromptRequest,
): Promise<GetPromptResult> {
  const skill = findPrompt(skills, name);
  const content = tryOpen(skill.dir);
  if (content === undefined || content.problem !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
  await orRefuse(() => context.access.openAt(skill.dir, { operation: 'read' }));
  const body = content.parts.body.trim();
  const quiz = await orRefuse(async () => quizInstead(skill, await context.memory()));
  const filled = quiz === undefined ? fillArguments(body, values, skill) : renderQuiz(quiz);
  const text = capPrompt(filled, skill);
  const { description } = skill.frontmatter;
  return {
    ...(typeof description === 'string' ? { description } : {}),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** Inserts the user's text where the skill asks for it, otherwise at the end. Commands stay as written. */
export function fillArguments(
  body: string,
  values: PromptRequest['values'],
  skill: Pick<ServedSkill, 'frontmatter' | 'label'>,
): string {
  const names = argumentsOf(skill);
  const odd = Object.keys(values).find((name) => !names.includes(name) && name !== ARGUMENT);
  if (odd !== undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Prompt ${skill.label} has no argument ${odd}; it has ${names.join(', ')}`,
    );
  const words = names.map((name) => values[name] ?? '');
  const count = words.findLastIndex((word) => word !== '') + 1;
  const typed = values[ARGUMENT]?.trim();
  const isTyped = names[0] === ARGUMENT || (count === 0 && typed !== undefined);
  const { pieces } = substituteArguments(body, {
    args: isTyped ? (typed ?? '') : words.slice(0, count),
    names: isTyped && names[0] === ARGUMENT ? [] : names,
  });
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.written)).join('');
}

function capPrompt(text: string, { name }: ServedSkill): string {
  const kept = cutText(text, MAX_CHARACTERS);
  if (kept === text) return text;
  return `${kept}\n... cut after ${MAX_CHARACTERS} characters; read the rest with skc_outline and skc_show of ${name}\n`;
}

function isInvocable({ frontmatter }: ServedSkill): boolean {
  return readFlag(frontmatter['user-invocable'] ?? true) ?? true;
}
