// Checks the `triggers` field.

import { CommaList, schemaIssues, unknownKeys } from './field-shapes.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { TRIGGER_KEYS, Triggers } from './triggers.ts';

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
