// Schema errors, worded for the person who wrote the value.

import type * as z from 'zod';
import { formatCount } from './format-count.ts';

const kinds: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

/** The reason alone, such as `must be at most 6`; the caller names the field. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'too_small':
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
}

function limit(origin: string, comparison: string, bound: number | bigint): string {
  if (origin === 'array') return `must have ${comparison} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  if (origin === 'string') return `must have ${comparison} ${formatCount(bound, 'character')}`;
  return `must be ${comparison} ${bound}`;
}
