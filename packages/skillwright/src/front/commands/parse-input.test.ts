import { expect, test } from 'vitest';
import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { parseInput } from './parse-input.ts';

const schema = z.strictObject({
  skill: z.string(),
  query: z.array(z.string()).min(1),
  limit: z.number().default(10),
});

test.each([
  [
    { skill: 'demo', query: ['a', 'b'] },
    { skill: 'demo', query: ['a', 'b'], limit: 10 },
  ],
  [
    { skill: 'demo', query: 'a b' },
    { skill: 'demo', query: ['a b'], limit: 10 },
  ],
  [{ skill: 'demo' }, 'E100 missing query'],
  [{ skill: 'demo', query: 1 }, 'E100 query must be a list'],
  [{ skill: ['demo'], query: 'a' }, 'E100 skill must be text'],
  [{ skill: 'demo', query: 'a', extra: 1 }, "E100 unknown field 'extra'"],
  ['demo', 'E100 the input must be an object'],
])('%j', (given, expected) => {
  const outcome = () => {
    try {
      return parseInput(schema, given);
    } catch (error) {
      return error instanceof SkillwrightError ? `${error.code} ${error.message}` : error;
    }
  };
  expect(outcome()).toEqual(expected);
});
