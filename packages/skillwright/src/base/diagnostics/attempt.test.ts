import { describe, expect, test } from 'vitest';
import { catchCoded, orUndefined } from './attempt.ts';
import { SkillwrightError } from './skillwright-error.ts';

const coded = SkillwrightError.of('E004', {});
const bug = new TypeError('a bug');
const fail = (error: Error) => () => {
  throw error;
};

test('orUndefined gives the result, or undefined for any error', () => {
  expect([orUndefined(() => 1), orUndefined(fail(coded)), orUndefined(fail(bug))]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

describe('catchCoded', () => {
  test('gives the result, or what is made of a coded error', () => {
    expect([catchCoded(() => 1, fail(bug)), catchCoded(fail(coded), ({ code }) => code)]).toEqual([
      1,
      'E004',
    ]);
  });

  test('lets every other error through', () => {
    expect(() => catchCoded(fail(bug), () => 1)).toThrow(bug);
  });
});
