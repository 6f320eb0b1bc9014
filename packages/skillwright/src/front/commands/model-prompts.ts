// The prompts of an experiment with a model. Between conditions, only the skill differs.

import { objectsIn } from '../../host/models/index.ts';

const TASK =
  'You are an agent that works for a user. Do what the user asks and reply with the result alone. Nobody can answer questions.';

/** The system prompt of a task or a question. */
export function taskPrompt(skill: { readonly text: string; readonly how: string } | undefined): string {
  return skill === undefined ? TASK : `${TASK}\n\nThis skill is loaded. ${skill.how}\n\n${skill.text}`;
}

/** How a stub is read on. */
export const readingHints = {
  tools: 'Read what you need of it with the tools.',
  program: 'Read what you need of it with the program skc, which is on your PATH.',
  whole: (files: string | undefined) =>
    files === undefined
      ? 'It is complete; its other files, if any, are where it says.'
      : `It is complete; its other files are in ${files}.`,
} as const;

/** The system prompt of a choice among skills. */
export function choicePrompt(catalog: string, { hasTools }: { readonly hasTools: boolean }): string {
  const how = hasTools
    ? 'Decide whether one of these skills fits the request of the user. If so, call skill_load with its name. If none fits, call no tool and reply with the word none.'
    : 'Decide whether one of these skills fits the request of the user. Load nothing and do nothing else. Reply with one line of JSON: {"skill": "<name>"}, or {"skill": null} if none fits.';
  return `You are an agent that works for a user.\n\n${catalog}\n\n${how}`;
}

/** The tool of a choice. */
export const choiceTool = {
  name: 'skill_load',
  description: 'Load a skill',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Its name' } },
    required: ['name'],
  },
} as const;

/** A word as a choice: null for none. */
export const asChoice = (word: string): string | null =>
  /^(?:none|null|no skill)?$/i.test(word.trim()) ? null : word.trim();

/** The chosen skill, null for none, or undefined when the text does not say. */
export function readChoice(text: string, names: readonly string[]): string | null | undefined {
  for (const said of objectsIn(text).reverse()) {
    const { skill, skill_name: other = skill, name } = said as Record<string, unknown>;
    if (other === null) return null;
    if (typeof other === 'string') return asChoice(other);
    // Small models call a skill as if it were a tool.
    if (typeof name === 'string' && names.includes(name)) return name;
  }
  const plain = text.trim().replace(/^["'`]+|["'`.]+$/g, '');
  if (/^none$/i.test(plain)) return null;
  return names.includes(plain) ? plain : undefined;
}
