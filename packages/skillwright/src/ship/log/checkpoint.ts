// Checkpoints, C2SP tlog-checkpoint: a signed note with the origin, the size and the root of a log.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { LogKey } from './log-key.ts';
import { decodeBase64, malformed } from './log-text.ts';
import { openNote, type VerifiedSignature } from './signed-note.ts';
import { isHash, isTreeNumber } from './subtree.ts';

/** Size and root of a log. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** A checkpoint that the log's key signed. */
export interface OpenedCheckpoint extends Checkpoint {
  /** The note it was read from. */
  readonly note: string;
  /** Cosignatures of the witnesses that were asked about. */
  readonly cosignatures: readonly VerifiedSignature[];
}

/** The text of a checkpoint, ready to be signed. */
export function spellCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
}

/** Reads the text of a checkpoint: that of an opened note, without signatures. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, ...extensions] = text.split('\n');
  if (origin === undefined || size === undefined || root === undefined || extensions.at(-1) !== '') {
    throw malformed('a checkpoint has at least three lines');
  }
  const bytes = decodeBase64(root);
  if (origin === '' || extensions.slice(0, -1).includes(''))
    throw malformed('a checkpoint has an empty line');
  if (bytes === undefined || !isHash(bytes)) throw malformed('the root of a checkpoint is not a hash');
  return { origin, size: parseTreeNumber(size), root: bytes };
}

/** Reads a number as logs write it: decimal, without leading zeros. */
export function parseTreeNumber(text: string): number {
  const value = Number(text);
  if (!/^(?:0|[1-9]\d*)$/.test(text) || !isTreeNumber(value)) throw malformed(`'${text}' is not a size`);
  return value;
}

/**
 * Opens a checkpoint: its origin belongs to the log's key, and the log signed it. Throws E230 or E233. A log that had to start
 * again signs with the same key under `<origin>/<number>`, with a larger number each time.
 */
export function openCheckpoint(
  note: string,
  { key, witnesses = [] }: { readonly key: LogKey; readonly witnesses?: readonly LogKey[] },
): OpenedCheckpoint {
  const { text, verified } = openNote(note, [key, ...witnesses]);
  const checkpoint = parseCheckpoint(text);
  const isOfLog = verified.some((signature) => signature.key === key);
  if (!isOfLog || generationOf(checkpoint.origin, key.name) === undefined) {
    const detail = isOfLog ? `the key signs for ${key.name}` : 'only witnesses signed it';
    throw SkillwrightError.of('E230', { origin: checkpoint.origin }, { detail });
  }
  return { ...checkpoint, note, cosignatures: verified.filter((signature) => signature.key !== key) };
}

/** The number of an origin: 1 for the first, 7 for `<name>/7`; undefined for an origin of another log. Later ones are larger. */
export function generationOf(origin: string, name: string): number | undefined {
  if (origin === name) return 1;
  if (!origin.startsWith(`${name}/`)) return undefined;
  const [digits] = /^[1-9]\d{0,14}$/.exec(origin.slice(name.length + 1)) ?? [];
  return digits === undefined || digits === '1' ? undefined : Number(digits);
}

/** The origin of a generation. */
export function originOf(name: string, generation: number): string {
  return generation === 1 ? name : `${name}/${generation}`;
}

/**
 * Where a registry serves the tiles of an origin, below its base URL: `log`, or `log/7` for the origin `<name>/7`. Each origin has
 * its own addresses, because tiles are cached for ever.
 */
export function logPathOf(origin: string, name: string): string {
  const generation = generationOf(origin, name);
  if (generation === undefined) throw malformed(`${origin} is not an origin of ${name}`);
  return originOf('log', generation);
}
