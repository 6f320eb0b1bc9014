import { describe, expect, test } from 'vitest';
import { diagnose, diagnosticOf } from './diagnostic.ts';
import { SkillwrightError } from './skillwright-error.ts';

describe('diagnose', () => {
  test('takes the severity from the letter of the code', () => {
    expect(diagnose('W003', {})).toEqual({
      code: 'W003',
      severity: 'warning',
      message: "stale local logs, run 'skc sync'",
    });
    expect(diagnose('E004', {}, { help: 'say something', data: { a: 1 } })).toEqual({
      code: 'E004',
      severity: 'error',
      message: 'empty query',
      help: 'say something',
      data: { a: 1 },
    });
  });
});

describe('SkillwrightError', () => {
  const cause = new Error('below');
  const error = SkillwrightError.of('E021', { file: 'x.md' }, { detail: 'd', data: { n: 1 }, cause });

  test('is an Error with its code and message', () => {
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'SkillwrightError',
      code: 'E021',
      message: "file not found: 'x.md'",
      help: undefined,
      detail: 'd',
      data: { n: 1 },
      cause,
    });
  });

  test('takes a help line only when it has none', () => {
    const helped = error.withHelp('look again');
    expect({ ...helped, message: helped.message, cause: helped.cause }).toEqual({
      ...error,
      message: error.message,
      help: 'look again',
      cause,
    });
    expect(helped.withHelp('other')).toBe(helped);
  });

  test('has no cause property when there is no cause', () => {
    expect(Object.hasOwn(SkillwrightError.of('E004', {}).withHelp('h'), 'cause')).toBe(false);
  });

  test('is seen as a diagnostic with only what it carries', () => {
    expect(diagnosticOf(error)).toEqual({
      code: 'E021',
      severity: 'error',
      message: "file not found: 'x.md'",
      detail: 'd',
      data: { n: 1 },
    });
    expect(Object.keys(diagnosticOf(SkillwrightError.of('E004', {})))).toEqual([
      'code',
      'severity',
      'message',
    ]);
  });
});
