// What stands at a place that a skill would be deployed to, and whether skc put it there.

import { existsSync, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath, statusAt } from '../../base/files/index.ts';
import { buildRecord, readBuildManifest } from '../../skill/skill/index.ts';
import { isPristineCopy } from './is-pristine-copy.ts';

/** What stands there. */
export type Occupant =
  | { readonly kind: 'nothing' }
  /** A link that skc made. */
  | { readonly kind: 'link'; readonly led: string }
  /** A copy skc made and nobody changed since. */
  | { readonly kind: 'own' }
  /** Anything else that may be moved aside. */
  | { readonly kind: 'kept'; readonly led?: string };

/** How it is looked at. */
export interface InspectOptions {
  readonly home: string;
  readonly force: boolean;
  /** Where the new link would lead: one that leads there already is taken for ours. */
  readonly leads: string;
  /** A directory that was copied into the store just now, and so may step aside. */
  readonly imported?: string | undefined;
}

/** What stands at a place; E013 when it may not be replaced. */
export function inspect(path: string, options: InspectOptions): Occupant {
  const status = statusAt(path);
  if (status === undefined) return { kind: 'nothing' };
  if (status.isSymbolicLink()) {
    const led = leadOf(path);
    if (isOwnLink(path, options.home) || isSamePlace(led, options.leads)) return { kind: 'link', led };
    // Where skc once put a link, one that leads nowhere may make room for it again.
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
  const help = `${why}; use --force to replace it: the old one is kept under .skillc/backups`;
  return SkillwrightError.of('E013', { path }, { help });
}

/** Where a link leads, absolute, whether something is there or not. */
export function leadOf(link: string): string {
  return resolve(realPath(dirname(link)), readlinkSync(link));
}

/** True for a link that skc made and that still leads where it led then. */
export function isOwnLink(path: string, home: string): boolean {
  const recorded = buildRecord(home).place(path);
  return recorded !== undefined && isSamePlace(leadOf(path), recorded);
}

/** True for a directory with a manifest that skc put there, changed since or not. */
function isOwnCopy(path: string, home: string): boolean {
  return buildRecord(home).place(path) !== undefined && readBuildManifest(path) !== undefined;
}

/** Whether two paths are one place, also when nothing is there any more. */
export function isSamePlace(a: string, b: string): boolean {
  return a === b || realPath(a) === realPath(b);
}
