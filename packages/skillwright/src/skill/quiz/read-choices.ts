// Reads answers from a command line: question, then options.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { QuizChoice } from './start-quiz.ts';

/** Parses `1=2` and `3=1,4`. E100 for anything else. */
export function readChoices(written: readonly string[]): QuizChoice[] {
  return written.map((text) => {
    const match = /^\s*(\d{1,6})\s*[=:]\s*(\d{1,6}(?:\s*[,+ ]\s*\d{1,6})*)\s*$/.exec(text);
    if (match === null) {
      const why = 'an answer must be a question and its options, such as 1=2 or 1=2,3';
      throw SkillwrightError.of('E100', { why });
    }
    return { question: Number(match[1]), options: match[2]!.split(/\s*[,+ ]\s*/).map(Number) };
  });
}
