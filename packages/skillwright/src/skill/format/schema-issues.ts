// Turns zod's findings into sentences for authors. The schemas of this folder only say how a value must look ("must be
// a number of seconds, not …"); this module adds the name of the value and the kind of fault.

import type * as z from 'zod';
import { suggest } from '../../base/diagnostics/index.ts';
import { describeValue, type FormatIssue, isMapping } from './format-issue.ts';

type RawIssue = z.core.$ZodRawIssue;
type Path = readonly (string | number)[];

/** Message for a value of the wrong type: `must be <what>, not <the value>`. */
export function mustBe(what: string): (issue: RawIssue) => string {
  return (issue) => `must be ${what}, not ${describeValue(issue.input)}`;
}

/** The faults that a schema finds in the value at `path`; none when it fits. */
export function schemaIssues(schema: z.ZodType, at: { value: unknown; path: Path }): FormatIssue[] {
  const result = schema.safeParse(at.value, { reportInput: true });
  return result.success ? [] : issuesOf(result.error, at.path);
}

/** A zod error as issues below `path`, whose first step is the field. */
export function issuesOf(error: z.ZodError, path: Path): FormatIssue[] {
  return error.issues.map((issue) => {
    const full = [...path, ...(issue.path as (string | number)[])];
    const kind = kindOf(issue);
    const message = kind === 'missing' ? `missing '${full.at(-1)}'` : `${nameOfValue(full)} ${issue.message}`;
    return { kind, field: String(full[0]), path: full, message, severity: 'error' };
  });
}

/** Name of a value in a sentence: its key, or the key of its list and the position. */
function nameOfValue(path: Path): string {
  const last = path.at(-1);
  if (typeof last === 'string' || path.length < 2) return String(last);
  return `${nameOfValue(path.slice(0, -1))}[${last}]`;
}

function kindOf(issue: z.core.$ZodIssue): FormatIssue['kind'] {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : 'type';
    case 'too_small':
      return issue.origin === 'number'
        ? 'value'
        : issue.input === '' || isEmptyList(issue.input)
          ? 'empty'
          : 'length';
    case 'too_big':
      return issue.origin === 'number' ? 'value' : 'length';
    case 'invalid_format':
      return 'format';
    case 'invalid_union':
      return lacksKey(issue.input, issue.path.at(-1)) ? 'missing' : isMapping(issue.input) ? 'value' : 'type';
    case 'custom':
      return (issue.params?.kind as FormatIssue['kind'] | undefined) ?? 'value';
    default:
      return issue.input === undefined ? 'missing' : 'value';
  }
}

/** Whether the key that tells the members of a union apart is missing. */
function lacksKey(value: unknown, key: PropertyKey | undefined): boolean {
  return isMapping(value) && typeof key === 'string' && value[key] === undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A warning for each key of the mapping at `path` that is not in `known`; none when the value is not a mapping. */
export function unknownKeys(
  value: unknown,
  { known, path }: { known: readonly string[]; path: readonly (string | number)[] },
): FormatIssue[] {
  if (!isMapping(value)) return [];
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const [closest] = suggest(key, known, 1);
      return {
        kind: 'unknown',
        field: String(path[0]),
        path: [...path, key],
        message: `unknown key '${key}' in ${nameOfValue(path)}`,
        help: closest === undefined ? `known keys: ${known.join(', ')}` : `did you mean '${closest}'?`,
        severity: 'warning',
      };
    });
}
