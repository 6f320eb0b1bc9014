// Turns unknown input into a command's checked input, or fails with one E100. Every front end uses it.

import type * as z from 'zod';
import { describeIssue, SkillwrightError } from '../../base/diagnostics/index.ts';

/** Inputs are small, so compiling a validator costs more than it saves, even in a server. */
const uncompiled = { jitless: true };

/** The checked input; E100 names the first wrong field, spelled by `name`. */
export function parseInput<Input extends z.ZodObject>(
  schema: Input,
  value: unknown,
  name: (field: string) => string = (field) => field,
): z.output<Input> {
  const result = schema.safeParse(value, uncompiled);
  if (result.success) return result.data;
  const again = schema.safeParse(wrapTexts(value, result.error.issues), uncompiled);
  if (again.success) return again.data;
  const issue = again.error.issues[0]!;
  throw SkillwrightError.of('E100', { why: explainIssue(issue, value, name) });
}

/** The input with aliases replaced by field names; if both are given, the field name wins. */
export function renameFields(value: unknown, aliases: Readonly<Record<string, string>> = {}): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = new Map(Object.entries(value));
  for (const [alias, field] of Object.entries(aliases)) {
    if (!given.has(alias)) continue;
    if (!given.has(field)) given.set(field, given.get(alias));
    given.delete(alias);
  }
  return Object.fromEntries(given);
}

/** Accepts a single text for a list of texts, because callers of tools often send one. */
function wrapTexts(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const lists = new Set(
    issues
      .filter((issue) => issue.code === 'invalid_type' && issue.expected === 'array')
      .flatMap(({ path }) => (path.length === 1 ? path : [])),
  );
  return Object.fromEntries(
    Object.entries(value).map(([field, given]) => [
      field,
      lists.has(field) && typeof given === 'string' ? [given] : given,
    ]),
  );
}

function explainIssue(issue: z.core.$ZodIssue, value: unknown, name: (field: string) => string): string {
  if (issue.code === 'unrecognized_keys') return `unknown field '${issue.keys[0]}'`;
  const [field] = issue.path;
  if (typeof field !== 'string') return 'the input must be an object';
  const missing = typeof value === 'object' && value !== null && !Object.hasOwn(value, field);
  return missing ? `missing ${name(field)}` : `${name(field)} ${describeIssue(issue)}`;
}
