// Words and patterns that suggest a skill for a message.

import * as z from 'zod';
import { CommaList, readMapping, schemaIssues, TextList, unknownKeys } from './field-shapes.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';

/** Longest pattern, in characters. */
export const PATTERN_LIMIT = 1000;

const Pattern = z.string().superRefine((pattern, context) => {
  const why = explainBadPattern(pattern);
  if (why !== undefined)
    context.addIssue({ code: 'custom', message: why, params: { kind: 'format' }, input: pattern });
});

const triggerShape = {
  keywords: CommaList.default([]),
  verbs: CommaList.default([]),
  patterns: TextList.pipe(z.array(Pattern)).default([]),
};

/**
 * The `triggers` field: a mapping of lists, or of texts with commas (patterns: one text). A bare list or text counts
 * as keywords.
 */
export const Triggers = z.preprocess(asMapping, readMapping(triggerShape));
export type Triggers = z.infer<typeof Triggers>;

function asMapping(value: unknown): unknown {
  return Array.isArray(value) || (typeof value === 'string' && value.trim() !== '')
    ? { keywords: value }
    : value;
}

/** The keys of the `triggers` field. */
const TRIGGER_KEYS = Object.keys(triggerShape);

/**
 * Why a pattern cannot be used, or undefined. Patterns run on an engine that never backtracks, so look-around and
 * back-references are not supported. Only compiles the pattern, never runs it.
 */
function explainBadPattern(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'must not be empty';
  if (pattern.length > PATTERN_LIMIT) return `may have at most ${PATTERN_LIMIT} characters`;
  // Inside a class such as `[(?=]` these characters are literal.
  const escapesRemoved = pattern.replace(/\\[^1-9k]/g, '').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/\(\?<?[=!]/.test(escapesRemoved)) return 'must not use look-around, which patterns do not support';
  if (/\\(?:[1-9]|k<)/.test(escapesRemoved)) {
    return 'must not use back-references, which patterns do not support';
  }
  // Syntax of the linear-time engine that JavaScript lacks.
  const portable = pattern
    .replaceAll('(?P<', '(?<')
    .replace(/\(\?[imsU-]+\)/g, '')
    .replace(/\(\?[imsU-]+:/g, '(?:');
  try {
    new RegExp(portable);
    return undefined;
  } catch {
    // Each runtime words its reason differently; the message must not depend on the runtime.
    return 'must be a valid regular expression';
  }
}

/** The faults of a `triggers` value, with paths into the source. */
export function checkTriggers(value: unknown): FormatIssue[] {
  const path = ['triggers'];
  if (Array.isArray(value)) return [...schemaIssues(CommaList, { value, path }), ...emptyWords(value, path)];
  const issues = schemaIssues(Triggers, { value: value ?? null, path });
  if (!isMapping(value)) return issues;
  issues.push(...unknownKeys(value, { known: TRIGGER_KEYS, path }));
  for (const key of ['keywords', 'verbs'] as const) {
    const words = value[key];
    if (Array.isArray(words)) issues.push(...emptyWords(words, [...path, key]));
  }
  return issues;
}

function emptyWords(words: readonly unknown[], path: readonly string[]): FormatIssue[] {
  return words.flatMap((word, index): FormatIssue[] => {
    if (typeof word !== 'string' || word.trim() !== '') return [];
    const message = `${path.at(-1)}[${index}] must not be empty`;
    return [{ kind: 'empty', field: 'triggers', path: [...path, index], message, severity: 'error' }];
  });
}
