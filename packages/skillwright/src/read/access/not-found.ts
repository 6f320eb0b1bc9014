// Words that mean no skill, or several; and the path a word spells.

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

/** E001 with names that are spelled almost so. */
export function notFound(word: string, names: readonly string[]): SkillwrightError {
  const suggestions = suggest(word, [...new Set(names)], 3);
  const details =
    suggestions.length === 0
      ? {}
      : { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } };
  return SkillwrightError.of('E001', { skill: word }, details);
}

/** E023: only what was compiled of a skill is left. */
export function sourceGone(word: string, source: string): SkillwrightError {
  return SkillwrightError.of(
    'E023',
    { skill: word, source },
    { help: `build it from where it is now, or remove what is left: skc clean ${quoteWord(word)}` },
  );
}

/** The path a word spells: absolute, relative to the working directory, with `~`, or as a `file:` URL. */
export function absolutePath(
  word: string,
  { cwd, home }: Pick<Workspace, 'cwd' | 'home'>,
): string | undefined {
  try {
    if (/^file:/i.test(word)) return fileURLToPath(word);
  } catch {
    // A URL that names no file of this machine.
    return undefined;
  }
  return word === '~' || word.startsWith('~/') ? join(home, word.slice(1)) : resolve(cwd, word);
}
