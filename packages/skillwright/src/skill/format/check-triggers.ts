// Faults of the `triggers` field.

import { type FormatIssue, isMapping } from './format-issue.ts';
import { schemaIssues } from './schema-issues.ts';
import { TRIGGER_KEYS, Triggers } from './triggers.ts';
import { unknownKeys } from './unknown-keys.ts';

/** The faults of a `triggers` value, with paths into the source. */
export function checkTriggers(value: unknown): FormatIssue[] {
  const path = ['triggers'];
  const issues = schemaIssues(Triggers, { value: value ?? null, path });
  if (!isMapping(value)) return issues;
  issues.push(...unknownKeys(value, { known: TRIGGER_KEYS, path }));
  for (const key of ['keywords', 'verbs'] as const) {
    const words = value[key];
    if (!Array.isArray(words)) continue;
    words.forEach((word, index) => {
      if (typeof word !== 'string' || word.trim() !== '') return;
      const message = `${key}[${index}] must not be empty`;
      issues.push({
        kind: 'empty',
        field: 'triggers',
        path: [...path, key, index],
        message,
        severity: 'error',
      });
    });
  }
  return issues;
}
