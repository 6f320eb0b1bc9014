import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../test/install-world.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { TestLog } from '../../../test/test-log.ts';
import { openCheckpoint, parseVerifierKey } from '../log/index.ts';
import type { LogEntry } from '../protocol/index.ts';
import { advanceKnown, checkAgainstKnown } from './known-checkpoint.ts';

const entry = (version: string): LogEntry => ({
  kind: 'version',
  name: '@acme/demo',
  version,
  document: `sha256:${'0'.repeat(64)}`,
  archive: `sha256:${'1'.repeat(64)}`,
});

/** Two logs with one key: the same 2 entries, then 3 others each. */
const name = 'registry.example/log';
const honest = new TestLog(name);
const forked = new TestLog(name);
forked.key = honest.key;
for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0']) await honest.append(entry(version));
for (const version of ['1.0.0', '1.1.0', '6.6.6', '6.6.7', '6.6.8']) await forked.append(entry(version));
/** Started again: the same leaves, under a later origin. */
const restarted = new TestLog(name);
restarted.key = honest.key;
restarted.generation = 2;
await restarted.replace(forked.openings);

const key = parseVerifierKey(honest.key.verifier);
const notes = { honest, forked, restarted };
type Offer = [log: keyof typeof notes, size: number];
const noteOf = ([log, size]: Offer) => notes[log].checkpoint(size);
const opened = async (offer: Offer) => openCheckpoint(await noteOf(offer), { key });

/** A directory that knows a checkpoint, or none. */
const knowing = async (known: Offer | undefined) =>
  makeDirectory(known === undefined ? {} : { 'checkpoint.txt': await noteOf(known) });

const FORK = "E231 the log shows a different past: 'registry.example/log'";

describe('offline, a kept checkpoint contradicts the newest one seen', () => {
  test.each<[string, Offer | undefined, Offer, string | undefined]>([
    ['nothing was seen', undefined, ['honest', 3], undefined],
    ['the same', ['honest', 3], ['honest', 3], undefined],
    ['of equal size with another root', ['honest', 3], ['forked', 3], FORK],
    ['of equal size before the fork', ['honest', 2], ['forked', 2], undefined],
    ['larger, which only the log can prove', ['honest', 3], ['forked', 4], undefined],
    ['smaller, which only the log can prove', ['honest', 4], ['forked', 3], undefined],
    ['of another origin', ['honest', 3], ['restarted', 3], undefined],
  ])('%s', async (_, known, offered, expected) => {
    const dir = await knowing(known);
    const checkpoint = await opened(offered);
    const check = async () => checkAgainstKnown(checkpoint, { key, dir });
    expect(await outcomeOf(check())).toBe(expected);
  });

  test('the error keeps both notes as evidence', async () => {
    const dir = await knowing(['honest', 3]);
    const offered = await opened(['forked', 3]);
    expect(() => checkAgainstKnown(offered, { key, dir })).toThrow(
      expect.objectContaining({
        code: 'E231',
        help: 'install nothing from this registry; tell the people who run it',
        data: { known: await noteOf(['honest', 3]), offered: await noteOf(['forked', 3]) },
      }),
    );
  });
});

describe('online, the log proves how the two relate', () => {
  test.each<[string, Offer | undefined, Offer, string | string[], Offer]>([
    ['nothing was seen', undefined, ['honest', 3], [], ['honest', 3]],
    ['the same', ['honest', 3], ['honest', 3], [], ['honest', 3]],
    ['newer', ['honest', 3], ['honest', 5], [], ['honest', 5]],
    ['newer than an empty log', ['honest', 0], ['honest', 5], [], ['honest', 5]],
    [
      'older',
      ['honest', 5],
      ['honest', 3],
      ["W237 'https://registry.example' shows an older state of its log: 3 of 5 entries"],
      ['honest', 5],
    ],
    ['of equal size with another root', ['honest', 3], ['forked', 3], FORK, ['honest', 3]],
    ['of equal size before the fork', ['honest', 2], ['forked', 2], [], ['honest', 2]],
    ['a larger fork', ['honest', 3], ['forked', 5], FORK, ['honest', 3]],
    ['a larger log from before the fork', ['honest', 2], ['forked', 5], [], ['forked', 5]],
  ])('%s', async (_, known, offered, expected, kept) => {
    const dir = await knowing(known);
    const served = notes[offered[0]];
    const client = {
      url: 'https://registry.example',
      log: async (path: string) => (await served.tile(path.split('/tile/')[1]!))!,
    };
    const work = async () => {
      const remarks = await advanceKnown(await opened(offered), {
        key,
        dir,
        client,
        signal: new AbortController().signal,
      });
      return remarks.map(({ code, message }) => `${code} ${message}`);
    };
    expect(await outcomeOf(work())).toEqual(expected);
    expect(readFileSync(join(dir, 'checkpoint.txt'), 'utf8')).toBe(await noteOf(kept));
  });
});
