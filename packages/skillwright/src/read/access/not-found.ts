// Errors for words that match no skill, or several; and the path a word spells.

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoteWord, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/** E005 with the candidates. */
export function ambiguous(name: string, candidates: readonly string[]): SkillwrightError {
  return SkillwrightError.of(
    'E005',
    { skill: name },
    {
      detail: candidates.map((path) => `  ${path}`).join('\n'),
      help: 'use the path of the one you mean',
      data: { candidates },
    },
  );
}

/** E001 with similar names. */
export function notFound(word: string, names: readonly string[]): SkillwrightError {
  const suggestions = suggest(word, [...new Set(names)], 3);
  const details =
    suggestions.length === 0
      ? {}
      : { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } };
  return SkillwrightError.of('E001', { skill: word }, details);
}

/** E023: only the compiled form of a skill is left. */
export function sourceGone(word: string, source: string): SkillwrightError {
  return SkillwrightError.of(
    'E023',
    { skill: word, source },
    { help: `build it from its new path, or remove the leftovers: skc clean ${quoteWord(word)}` },
  );
}

/** The path in a word: absolute, relative to the working directory, with `~`, or as a `file:` URL. */
export function absolutePath(
  word: string,
  { cwd, home }: Pick<Workspace, 'cwd' | 'home'>,
): string | undefined {
  try {
    if (/^file:/i.test(word)) return fileURLToPath(word);
  } catch {
    // A URL of another machine.
    return undefined;
  }
  return word === '~' || word.startsWith('~/') ? join(home, word.slice(1)) : resolve(cwd, word);
}
