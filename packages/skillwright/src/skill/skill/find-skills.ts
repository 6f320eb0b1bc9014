// Finds the skills below a directory.

import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { compareBytes, describeSystemError } from '../../base/files/index.ts';
import { isMisspelled, isSkill, SKILL_FILE } from './skill-file.ts';

/** Hidden directories that hold skills by convention, and so are searched. */
const skillHomes: ReadonlySet<string> = new Set(['.agent', '.agents', '.claude', '.skillc']);

/** How many levels deep to look for skills. */
const MAX_DEPTH = 12;

/** A problem found on the way. */
export type FoundProblem =
  | { readonly kind: 'unreadable'; readonly path: string; readonly why: string }
  /** Its SKILL.md is not a file. */
  | { readonly kind: 'not-a-file'; readonly path: string }
  /** Its SKILL.md is called `name`, in the wrong case. */
  | { readonly kind: 'misspelled'; readonly path: string; readonly name: string };

/** A skill's directory, or a problem. */
export type Found =
  | {
      readonly kind: 'skill';
      readonly dir: string /** Its entries. */;
      readonly listing?: readonly Dirent[];
    }
  | FoundProblem;

/**
 * The skills at or below `directory`, one by one in bytewise order. Does not look inside a skill. Follows links
 * only when they lead straight to a skill, each real directory once.
 */
export function* findSkills(directory: string): Generator<Found> {
  yield* search(directory, 0, new Set());
}

function* search(directory: string, depth: number, linked: Set<string>): Generator<Found> {
  let listing: Dirent[];
  try {
    listing = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    yield { kind: 'unreadable', path: directory, why: describeSystemError(error) };
    return;
  }
  const own = listing.find((entry) => entry.name === SKILL_FILE);
  if (own !== undefined) {
    const isFile = own.isFile() || (own.isSymbolicLink() && isSkill(directory));
    yield isFile ? { kind: 'skill', dir: directory, listing } : { kind: 'not-a-file', path: directory };
    return;
  }
  const misspelled = listing.find((entry) => entry.isFile() && isMisspelled(entry.name));
  if (misspelled !== undefined) {
    yield { kind: 'misspelled', path: directory, name: misspelled.name };
    return;
  }
  if (depth === MAX_DEPTH) return;
  listing.sort((a, b) => compareBytes(a.name, b.name));
  for (const entry of listing) {
    const path = directory + sep + entry.name;
    if (entry.isDirectory()) {
      if (isEntered(directory, entry.name)) yield* search(path, depth + 1, linked);
    } else if (entry.isSymbolicLink() && isSkill(path)) {
      const real = realpathSync.native(path);
      if (!linked.has(real)) yield { kind: 'skill', dir: path };
      linked.add(real);
    }
  }
}

function isEntered(parent: string, name: string): boolean {
  if (name === 'node_modules') return false;
  // Everything else there is made by skc: compiled skills, backups, shared edits.
  if (parent.endsWith(`${sep}.skillc`)) return name === 'skills';
  return !name.startsWith('.') || skillHomes.has(name);
}
