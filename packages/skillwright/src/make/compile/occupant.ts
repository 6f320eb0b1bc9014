// Determines what occupies a deployment target, and whether skc put it there.

import { existsSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath, statusAt } from '../../base/files/index.ts';
import { buildRecord, readBuildManifest } from '../../skill/skill/index.ts';
import { isPristineCopy } from './is-pristine-copy.ts';

/** Occupant of a target. */
export type Occupant =
  | { readonly kind: 'nothing' }
  /** A link that skc made. */
  | { readonly kind: 'link'; readonly led: string }
  /** A copy that skc made, unchanged since. */
  | { readonly kind: 'own' }
  /** Anything else that may be moved aside. */
  | { readonly kind: 'kept'; readonly led?: string };

/** Input for the check. */
export interface InspectOptions {
  readonly home: string;
  readonly force: boolean;
  /** Target of the new link: an existing link to it counts as ours. */
  readonly leads: string;
  /** A directory that was just copied into the store, so it may be moved aside. */
  readonly imported?: string | undefined;
}

/** Other processes may replace the target during the check. */
const MAX_ATTEMPTS = 20;

/** Checks what occupies a target; E013 if it may not be replaced. */
export function inspect(path: string, options: InspectOptions): Occupant {
  for (let attempt = 1; ; attempt++) {
    const status = statusAt(path);
    if (status === undefined) return { kind: 'nothing' };
    const isFinal = () => attempt === MAX_ATTEMPTS || isSameEntry(statusAt(path), status);
    try {
      const occupant = identify(path, status, options);
      if (isFinal()) return occupant;
    } catch (error) {
      if (isFinal()) throw error;
    }
  }
}

const isSameEntry = (now: Stats | undefined, before: Stats) =>
  now !== undefined && now.ino === before.ino && now.dev === before.dev;

function identify(path: string, status: Stats, options: InspectOptions): Occupant {
  if (status.isSymbolicLink()) {
    const led = leadOf(path);
    if (isOwnLink(path, options.home) || isSamePlace(led, options.leads)) return { kind: 'link', led };
    // A dangling link may be replaced where skc once put a link.
    const isDead = !existsSync(path) && buildRecord(options.home).place(path) !== undefined;
    if (options.force || isDead) return { kind: 'kept', led };
    throw refused(path, `it is a link to ${led} that skc did not make`);
  }
  if (isOwnCopy(path, options.home)) return { kind: isPristineCopy(path) ? 'own' : 'kept' };
  if (options.force || (options.imported !== undefined && realPath(path) === options.imported))
    return { kind: 'kept' };
  throw refused(path, 'skc did not make it');
}

function refused(path: string, why: string): SkillwrightError {
  const help = `${why}; use --force to replace it: the old one is backed up under .skillc/backups`;
  return SkillwrightError.of('E013', { path }, { help });
}

/** Absolute target of a link, whether or not it exists. */
export function leadOf(link: string): string {
  return resolve(realPath(dirname(link)), readlinkSync(link));
}

/** True for a link that skc made and that still has its target. */
export function isOwnLink(path: string, home: string): boolean {
  const recorded = buildRecord(home).place(path);
  return recorded !== undefined && isSamePlace(leadOf(path), recorded);
}

/** True for a directory with a manifest that skc put there, changed since or not. */
function isOwnCopy(path: string, home: string): boolean {
  return buildRecord(home).place(path) !== undefined && readBuildManifest(path) !== undefined;
}

/** Whether two paths are the same place, even if it no longer exists. */
export function isSamePlace(a: string, b: string): boolean {
  return a === b || realPath(a) === realPath(b);
}
