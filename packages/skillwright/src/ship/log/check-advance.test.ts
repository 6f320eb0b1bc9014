import { describe, expect, test } from 'vitest';
import { type GrownTree, growTree, readUniform } from '../../../test/grow-tree.ts';
import {
  checkAdvance,
  checkSuccessor,
  generateLogKey,
  leafOf,
  openCheckpoint,
  parseVerifierKey,
  type ReadHash,
  rootOf,
  signNote,
  spellCheckpoint,
} from './index.ts';

const origin = 'registry.example/log';
const sizes = Array.from({ length: 20 }, (_, size) => size);
const tree = await growTree(20);
/** The same up to leaf 6, then other leaves. */
const forked = await growTree(20, (index) => (index < 7 ? `leaf ${index}` : `other ${index}`));

const at = async (size: number, { read }: Pick<GrownTree, 'read'> = tree) => ({
  origin,
  size,
  root: await rootOf(size, read),
});

describe('checkAdvance', () => {
  test('says newer, same or older for every two sizes of one log', async () => {
    for (const before of sizes) {
      for (const after of sizes) {
        const advance = await checkAdvance({
          known: await at(before),
          offered: await at(after),
          read: tree.read,
        });
        expect(advance, `${before} to ${after}`).toBe(
          after > before ? 'newer' : after === before ? 'same' : 'older',
        );
      }
    }
    expect(await checkAdvance({ known: undefined, offered: await at(3), read: tree.read })).toBe('newer');
  });

  test('says fork for every known size after the fork, whatever larger or equal size is offered', async () => {
    for (const before of sizes.slice(8)) {
      for (const after of sizes.slice(before)) {
        const [known, offered] = [await at(before), await at(after, forked)];
        expect(await checkAdvance({ known, offered, read: forked.read }), `${before} to ${after}`).toBe(
          'fork',
        );
      }
    }
  });

  test('says fork for a smaller checkpoint that the known tree contradicts', async () => {
    for (const after of sizes.slice(8, 19)) {
      const [known, offered] = [await at(19), await at(after, forked)];
      expect(await checkAdvance({ known, offered, read: tree.read }), String(after)).toBe('fork');
    }
  });

  test('does not call a damaged tile a fork, and never accepts one', async () => {
    for (const before of sizes.slice(1, 19)) {
      const [known, offered] = [await at(before), await at(19)];
      const asked: string[] = [];
      const note: ReadHash = (level, index) => {
        asked.push(`${level}/${index}`);
        return tree.read(level, index);
      };
      await checkAdvance({ known, offered, read: note });
      for (const hash of new Set(asked)) {
        const read: ReadHash = async (level, index) =>
          `${level}/${index}` === hash ? new Uint8Array(32) : tree.read(level, index);
        await expect(checkAdvance({ known, offered, read }), hash).rejects.toMatchObject({ code: 'E232' });
      }
    }
  });

  test('passes on that a tile is missing: a rolled back log cannot prove to be older', async () => {
    const back = await growTree(8, (index) => `leaf ${index}`);
    const pending = checkAdvance({ known: await at(12), offered: await at(8), read: back.read });
    await expect(pending).rejects.toThrow('the tree has no hash');
  });

  test('refuses the checkpoint of another origin', async () => {
    const offered = { ...(await at(12)), origin: 'registry.example/log/2' };
    const pending = checkAdvance({ known: await at(3), offered, read: tree.read });
    await expect(pending).rejects.toMatchObject({ code: 'E232' });
  });

  test('counts beyond 2^40', async () => {
    const big = await at(2 ** 40 + 9, { read: readUniform });
    const known = await at(2 ** 31 + 1, { read: readUniform });
    expect(await checkAdvance({ known, offered: big, read: readUniform })).toBe('newer');
    expect(await checkAdvance({ known: big, offered: known, read: readUniform })).toBe('older');
    expect(await checkAdvance({ known: { ...known, size: 1 }, offered: big, read: readUniform })).toBe(
      'fork',
    );
  });
});

describe('checkSuccessor', async () => {
  const log = generateLogKey(origin);
  const key = parseVerifierKey(log.verifier);
  const sign = (checkpoint: Awaited<ReturnType<typeof at>>) =>
    signNote(spellCheckpoint(checkpoint), [log.signer]);
  const recorded = sign(await at(12));
  const succeed = async (entry: Partial<{ previous: string; checkpoint: string; kept: number }> = {}) => {
    const time = '2026-01-01T00:00:00Z';
    const first = leafOf({
      entry: { kind: 'origin', previous: origin, checkpoint: recorded, kept: 12, time, ...entry },
      salt: null,
    });
    const next = await growTree(3, (index) =>
      index === 0 ? Buffer.from(first).toString() : `next ${index}`,
    );
    return {
      offered: { ...(await at(3, next)), origin: `${origin}/2` },
      firstLeaf: first,
      key,
      read: next.read,
    };
  };

  test('returns the recorded end of the origin before, and how many leaves it lost', async () => {
    const next = await succeed();
    expect(await checkSuccessor({ known: await at(15), ...next })).toEqual({
      recorded: openCheckpoint(recorded, { key }),
      lost: 3,
    });
    expect(await checkSuccessor({ known: await at(12), ...next })).toMatchObject({ lost: 0 });
    expect(await checkSuccessor({ known: await at(2), ...next })).toMatchObject({ lost: 0 });
    expect(await checkSuccessor({ known: await at(2), ...(await succeed({ kept: 5 })) })).toMatchObject({
      lost: 7,
    });
  });

  test('refuses a way back, a missing record and a record nobody signed', async () => {
    const next = await succeed();
    const known = { ...(await at(15)), origin: `${origin}/2` };
    await expect(checkSuccessor({ ...next, known })).rejects.toMatchObject({ code: 'E231' });
    const offered = { ...next.offered, origin };
    await expect(checkSuccessor({ ...next, known, offered })).rejects.toMatchObject({ code: 'E231' });
    const past = await at(15);
    for (const [change, code] of [
      [await succeed({ previous: 'other.example' }), 'E232'],
      [
        await succeed({ previous: `${origin}/2`, checkpoint: sign({ ...past, origin: `${origin}/2` }) }),
        'E232',
      ],
      [await succeed({ checkpoint: signNote('x\n', [generateLogKey('x').signer]) }), 'E230'],
      [{ ...next, firstLeaf: Buffer.from('{"commitment":"sha256:00"}') }, 'E233'],
      [{ ...next, firstLeaf: (await succeed({ previous: 'x' })).firstLeaf }, 'E232'],
      [{ ...next, offered: { ...next.offered, size: 0 } }, 'E232'],
    ] as const) {
      await expect(checkSuccessor({ known: past, ...change })).rejects.toMatchObject({ code });
    }
  });
});
