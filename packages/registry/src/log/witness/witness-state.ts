// The newest checkpoint a witness cosigned, per log.

import { readFileSync } from 'node:fs';
import { isMissing, readError, SkillwrightError, writeFileAtomic } from 'skillwright/base';
import {
  type LogKey,
  type OpenedCheckpoint,
  openCheckpoint,
  spellVerifierKey,
} from 'skillwright/transparency-log';
import * as z from 'zod';

/** Signed notes by the verifier key of their log. */
const State = z.record(z.string(), z.string());

/** The newest checkpoint the witness knows of a log; undefined for a new one. Fails on a damaged file. */
export function knownCheckpoint(path: string, key: LogKey): OpenedCheckpoint | undefined {
  const note = readState(path)[spellVerifierKey(key)];
  return note === undefined ? undefined : openCheckpoint(note, { key });
}

/** Keeps a checkpoint on disk. Call it before anybody sees the cosignature. */
export function rememberCheckpoint(
  path: string,
  { note }: OpenedCheckpoint,
  { key }: { readonly key: LogKey },
): void {
  const state = { ...readState(path), [spellVerifierKey(key)]: note };
  writeFileAtomic(path, `${JSON.stringify(state, undefined, 2)}\n`);
}

function readState(path: string): z.output<typeof State> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return {};
    throw readError(path, error);
  }
  try {
    return State.parse(JSON.parse(text));
  } catch (cause) {
    const help = 'restore the file; without it the witness cannot notice a fork';
    throw SkillwrightError.of('E233', { why: `${path} is damaged` }, { help, cause });
  }
}
