// Whether a quiz locks a skill. Free of zod and YAML, to cost almost nothing for skills without a quiz.

import { isMapping } from './format-issue.ts';
import type { Frontmatter } from './frontmatter.ts';

/** A quiz in text that does not parse as YAML. */
const looksGated = /^["']?quiz["']?[ \t]*:/m;

/** Words that turn a flag off. */
const offWords: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** True when a quiz of this frontmatter is a gate. An unreadable flag counts as set. */
export function hasQuizGate(data: Readonly<Record<string, unknown>>): boolean {
  const { quiz } = data;
  const blocks = Array.isArray(quiz) ? quiz : [quiz];
  return blocks.some((block) => isMapping(block) && isSet(block.gate));
}

/** True for a frontmatter with a gate, and for a damaged one that seems to have a gate. */
export function isGatedFrontmatter({
  data,
  yaml,
  body,
}: Pick<Frontmatter, 'data' | 'yaml' | 'body'>): boolean {
  if (data !== undefined) return hasQuizGate(data);
  const head = yaml === '' ? body : yaml;
  return /^\s*---/.test(yaml === '' ? body : '---') && looksGated.test(head) && head.includes('gate');
}

function isSet(flag: unknown): boolean {
  if (flag === undefined || flag === null || flag === false) return false;
  return !(typeof flag === 'string' || typeof flag === 'number') || !offWords.has(String(flag).toLowerCase());
}

/** Every text with a quiz contains one of these; an escape may spell the word. */
const marks = /quiz|\\[xuU]/;

/** False when a text certainly has no `quiz` field. */
export function mayHaveQuiz(text: string): boolean {
  return marks.test(text);
}
