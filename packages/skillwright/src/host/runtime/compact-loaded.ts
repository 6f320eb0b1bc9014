// What a session remembers of loaded skills when the host has shortened the conversation.

import { dirname } from 'node:path';
import type { LoadedSkill } from './saved-session.ts';
import type { CompactedSkills } from './session.ts';
import { renderLoadedSkills } from './skill-context.ts';

/** Whose text is still there, and who may still use a skill. */
export interface CompactOptions {
  /** By name or path. */
  readonly kept: readonly string[];
  /** False for what is off, denied or gone by now: the model is not reminded of it. */
  readonly isOpen: (skill: LoadedSkill) => boolean;
}

/** Marks the texts that are gone, and says which. */
export function compactLoaded(
  loaded: Map<string, LoadedSkill>,
  { kept: words, isOpen }: CompactOptions,
): CompactedSkills {
  const { kept, unknown } = findKept([...loaded.values()], words);
  for (const [path, skill] of loaded)
    loaded.set(path, { ...skill, in_context: skill.in_context && kept.has(path) });
  const open = [...loaded.values()].filter(isOpen);
  const skills = open.filter(({ in_context }) => !in_context);
  return {
    skills,
    kept: open.filter(({ in_context }) => in_context),
    unknown,
    text: renderLoadedSkills(skills),
  };
}

/** Which loaded skills a host means that says by name or path what it has kept. A name that several have means none. */
function findKept(
  loaded: readonly LoadedSkill[],
  words: readonly string[],
): { kept: ReadonlySet<string>; unknown: string[] } {
  const meant = words.map((word) => ({
    word,
    found: loaded.filter(({ name, path }) => name === word || path === word || dirname(path) === word),
  }));
  return {
    kept: new Set(meant.flatMap(({ found }) => (found.length === 1 ? [found[0]!.path] : []))),
    unknown: meant.flatMap(({ word, found }) => (found.length === 1 ? [] : [word])),
  };
}
