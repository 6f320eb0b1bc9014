// Finds the skills below a directory.

import { type Dirent, readdirSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { once } from '../../base/diagnostics/index.ts';
import { compareBytes, describeSystemError, readRealPath } from '../../base/files/index.ts';
import { agents } from '../agents/index.ts';
import { isMisspelled, isSkill, SKILL_FILE } from './skill-file.ts';

/** Hidden directories that hold skills by convention, and so are searched: the home of every known agent. */
const skillHomes = once(
  (): ReadonlySet<string> =>
    new Set(
      agents
        .flatMap(({ project, user = '', marks = [] }) => [project, user, ...marks])
        .map((directory) => directory.split('/')[0]!)
        .filter((name) => name.startsWith('.'))
        .concat('.agent', '.skillc'),
    ),
);

/** Where version control keeps its own data: no place for skills. */
const repositories: ReadonlySet<string> = new Set(['.git', '.hg', '.jj', '.svn']);

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
  /** A directory that was not searched, and may hold skills. */
  | { readonly kind: 'skipped'; readonly path: string; readonly why: string }
  | FoundProblem;

/**
 * The skills at or below `directory`, one by one in bytewise order. Does not look inside a skill. Follows links
 * only when they lead straight to a skill, each real directory once.
 */
export function* findSkills(directory: string): Generator<Found> {
  yield* search(directory, { depth: 0, inHome: isHome(basename(directory)) }, new Set());
}

const isHome = (name: string): boolean => skillHomes().has(name) && name !== '.skillc';

interface Level {
  readonly depth: number;
  /** Within an agent's home, where hidden directories hold skills too. */
  readonly inHome: boolean;
}

function* search(directory: string, { depth, inHome }: Level, linked: Set<string>): Generator<Found> {
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
  if (depth === MAX_DEPTH) {
    if (listing.some((entry) => entry.isDirectory()))
      yield { kind: 'skipped', path: directory, why: `more than ${MAX_DEPTH} levels down` };
    return;
  }
  listing.sort((a, b) => compareBytes(a.name, b.name));
  for (const entry of listing) {
    const path = directory + sep + entry.name;
    if (entry.isDirectory()) {
      const { name } = entry;
      if (repositories.has(name) || isOwnOutput(directory, name)) continue;
      const why =
        name === 'node_modules'
          ? 'installed packages'
          : !name.startsWith('.') || inHome || skillHomes().has(name)
            ? undefined
            : 'hidden';
      if (why === undefined)
        yield* search(path, { depth: depth + 1, inHome: inHome || isHome(name) }, linked);
      else yield { kind: 'skipped', path, why };
    } else if (entry.isSymbolicLink() && isSkill(path)) {
      const real = readRealPath(path);
      if (!linked.has(real)) yield { kind: 'skill', dir: path };
      linked.add(real);
    }
  }
}

/** Whether skc itself writes this below `.skillc`: everything but the store. */
const isOwnOutput = (parent: string, name: string): boolean =>
  parent.endsWith(`${sep}.skillc`) && name !== 'skills';
