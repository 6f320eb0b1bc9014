// Content that takes the place of other content, in moves that can be taken back: from memory while the process lives, and
// from a journal after a crash. Every move looks at the place first, so repeating it is harmless.

import { cpSync, lstatSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isThere, realPath, statusAt } from './paths.ts';
import { removePath } from './retry.ts';
import { systemErrorCode } from './system-error.ts';
import { discardTemporary, renameInto } from './write-atomic.ts';

/** A path that gets other content, or loses the one it has. */
export interface Replacement {
  readonly path: string;
  /** The new content, prepared on the same disk; undefined where the old one only leaves. */
  readonly staged?: string | undefined;
  /** Where the old content goes; undefined where nothing is in the way. */
  readonly aside?: string | undefined;
}

/** Options of a replacement. */
interface Moves {
  /** Called before every move. */
  step?(move: 'aside' | 'place' | 'unplace' | 'return'): void;
  /** Another place for the content that goes; undefined for the usual one. */
  rescue?(): string | undefined;
  /** The way content goes and comes back; by default a rename on one disk. */
  move?(from: string, to: string): void;
}

/** Moves the old content aside and the new one in. After a crash it does the rest. */
export function replacePath(
  { path, staged, aside }: Replacement,
  { step, rescue, move = renameInto }: Moves = {},
): void {
  // Once the new content has left its staging path it is in place.
  if (staged !== undefined && !isThere(staged)) return;
  if (aside !== undefined && isThere(path) && !isThere(aside)) {
    step?.('aside');
    move(path, rescue?.() ?? aside);
  }
  if (staged === undefined) return;
  step?.('place');
  renameInto(staged, path);
}

/** Takes a replacement back, as far as it was carried out. The new content is lost unless it is rescued. */
export function restorePath(
  { path, staged, aside }: Replacement,
  { step, rescue, move = renameInto }: Moves = {},
): void {
  const isPlaced = staged !== undefined && !isThere(staged) && isThere(path);
  if (isPlaced && (aside === undefined || isThere(aside))) {
    step?.('unplace');
    move(path, rescue?.() ?? staged);
  }
  if (aside !== undefined && isThere(aside) && !isThere(path)) {
    step?.('return');
    move(aside, path);
  }
  // Frees space for the next moves, in case the disk is full.
  if (staged !== undefined) discardTemporary(staged);
}

/** Moves a file, a directory or a link, to another file system too. A link still leads to its target. */
export function movePath(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) {
    symlinkSync(resolve(realPath(dirname(from)), readlinkSync(from)), to, 'junction');
    removePath(from);
    return;
  }
  try {
    renameInto(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    removePath(from, { recursive: true });
  }
}

/** A name that is free: `<path>.bak-<time>`, with a number when that is taken. */
export function backupName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  for (let attempt = 0; ; attempt++) {
    const name = `${path}.bak-${time}${attempt === 0 ? '' : `-${attempt}`}`;
    if (statusAt(name) === undefined) return name;
  }
}

/** A change that was made. */
export interface Change {
  undo(): void;
  /** Removes what was only kept for `undo`. */
  settle?: (() => void) | undefined;
}

/** Does work whose changes stand or fall together: if it fails, those it has made are taken back, the last one first. */
export function changeTogether<Result>(work: (made: (change: Change) => void) => Result): Result {
  const changes: Change[] = [];
  try {
    const result = work((change) => changes.push(change));
    for (const { settle } of changes) settle?.();
    return result;
  } catch (error) {
    for (const { undo } of changes.reverse()) undo();
    throw error;
  }
}
