import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeIssue } from './describe-issue.ts';

test.each<[string, z.ZodType, unknown, string]>([
  ['boolean', z.boolean(), 1, 'must be true or false'],
  ['text', z.string(), 1, 'must be text'],
  ['whole number', z.number().int(), 1.5, 'must be a whole number'],
  ['list', z.array(z.string()), 'x', 'must be a list'],
  ['table', z.object({}), [], 'must be a table'],
  ['choice', z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  ['most', z.number().max(6), 7, 'must be at most 6'],
  ['least', z.number().min(0), -1, 'must be at least 0'],
  ['more', z.number().positive(), 0, 'must be more than 0'],
  ['less', z.number().lt(3), 3, 'must be less than 3'],
  ['entries', z.array(z.string()).min(1), [], 'must have at least 1 entry'],
  ['characters', z.string().max(2), 'abc', 'must have at most 2 characters'],
  ['own words', z.string().regex(/^x$/, 'must be x'), 'y', 'must be x'],
])('%s', (_, schema, value, reason) => {
  expect(describeIssue(schema.safeParse(value).error!.issues[0]!)).toBe(reason);
});
