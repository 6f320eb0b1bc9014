// Resolves user words to skills: by path, by name, or directories with many.

import { resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canonicalPath, displayPath, isDirectory } from '../../base/files/index.ts';
import {
  type FoundProblem,
  findSkills,
  hasSkillFile,
  type KnownPlace,
  misspelledHelp,
} from '../../skill/skill/index.ts';
import type { Access, AccessQuestion, OpenedSkill } from './access.ts';

/** A skill, or a file in the place of one. */
type Meant =
  | {
      readonly kind: 'skill';
      readonly skill: OpenedSkill;
      /** The directory as found. */
      readonly dir: string;
    }
  /** One of many that the actor may not use. */
  | { readonly kind: 'refused'; readonly dir: string; readonly error: SkillwrightError }
  /** A directory that was not searched. */
  | { readonly kind: 'skipped'; readonly path: string; readonly why: string }
  | { readonly kind: 'problem'; readonly problem: FoundProblem; readonly error: SkillwrightError };

/** How to resolve words. */
interface MeantOptions extends AccessQuestion {
  /** A path means the directory itself, even when it is a stub. */
  readonly asGiven?: boolean;
}

/** The skills that words refer to, one by one. E001, E005, E010 when a word matches none; E060, E061 when access is refused. */
export async function* findMeant(
  words: readonly string[],
  access: Access,
  { asGiven = false, ...question }: MeantOptions,
): AsyncGenerator<Meant> {
  for (const word of words) {
    const { cwd } = access.workspace;
    const directory = resolve(cwd, word);
    if (isOneSkill(word, directory)) {
      const skill =
        asGiven && isDirectory(directory)
          ? await access.openAt(directory, question)
          : await access.open(word, question);
      yield { kind: 'skill', skill, dir: asGiven && isDirectory(directory) ? directory : skill.dir };
      continue;
    }
    let any = false;
    const root = canonicalPath(directory);
    for (const found of findSkills(directory)) {
      if (found.kind === 'skipped') {
        yield found;
        continue;
      }
      any = true;
      if (found.kind === 'skill') {
        // No link leads to a directory found by listing.
        const real = found.listing && root + found.dir.slice(directory.length);
        const opened = await openOne(found.dir, { listing: found.listing, real });
        if (opened !== undefined) yield opened;
      } else yield { kind: 'problem', problem: found, error: errorOf(found, displayPath(cwd, found.path)) };
    }
    if (any) continue;
    const skill = await access.open(word, question);
    yield { kind: 'skill', skill, dir: skill.dir };
  }

  async function openOne(dir: string, known: KnownPlace): Promise<Meant | undefined> {
    try {
      return { kind: 'skill', skill: await access.openAt(dir, question, known), dir };
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      // A skill that is hidden from the actor is not even refused.
      return (await access.isVisible(dir)) ? { kind: 'refused', dir, error } : undefined;
    }
  }
}

/** How many skills words refer to at most. No skill is opened. */
export function countMeant(
  words: readonly string[],
  { workspace: { cwd } }: Pick<Access, 'workspace'>,
): number {
  return words.reduce((sum, word) => {
    const directory = resolve(cwd, word);
    const all = isOneSkill(word, directory) ? [] : [...findSkills(directory)];
    return sum + Math.max(1, all.filter(({ kind }) => kind !== 'skipped').length);
  }, 0);
}

const isOneSkill = (word: string, directory: string): boolean =>
  word.includes('\0') || !isDirectory(directory) || hasSkillFile(directory);

/** Why a directory is not a skill. */
function errorOf(problem: FoundProblem, path: string): SkillwrightError {
  switch (problem.kind) {
    case 'unreadable':
      return SkillwrightError.of('E015', { path, why: problem.why });
    case 'misspelled':
      return SkillwrightError.of('E010', { path }, { help: misspelledHelp(problem.name) });
    case 'not-a-file':
      return SkillwrightError.of('E010', { path });
  }
}
