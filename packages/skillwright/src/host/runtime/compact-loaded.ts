// Updates the record of loaded skills after the host compacted the conversation.

import { dirname } from 'node:path';
import type { LoadedSkill } from './saved-session.ts';
import type { CompactedSkills } from './session.ts';
import { renderLoadedSkills } from './skill-context.ts';

/** Skills the host kept, and a check for those still usable. */
interface CompactOptions {
  /** By name or path. */
  readonly kept: readonly string[];
  /** False for skills that are now disabled, denied or removed: the model is not reminded of them. */
  readonly isOpen: (skill: LoadedSkill) => boolean;
}

/** Marks the texts that are gone and returns them. */
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

/** Loaded skills that the host's names or paths refer to. A name shared by several matches none. */
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
