import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { workspaceAt } from '../../../../test/open-workspace.ts';
import { placeOf } from '../place/install-place.ts';
import { withPlaceLocked } from './journal.ts';

function makePlace() {
  const root = makeDirectory({ 'project/.skillc': { directory: true }, home: { directory: true } });
  return placeOf('project', {
    workspace: workspaceAt({ cwd: join(root, 'project'), home: join(root, 'home') }),
  });
}

const waiting = (waitMs: number, signal = new AbortController().signal) => ({ signal, waitMs });

test('one after the other', async () => {
  const place = makePlace();
  const order: string[] = [];
  const turn = (name: string) =>
    withPlaceLocked(place, waiting(60_000), async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([turn('a'), turn('b'), turn('c')])).toEqual(['a', 'b', 'c']);
  expect(order.filter((_, index) => index % 2 === 0).map((line) => line.slice(2))).toEqual([
    'begins',
    'begins',
    'begins',
  ]);
  expect(order.filter((_, index) => index % 2 === 1).map((line) => line.slice(2))).toEqual([
    'ends',
    'ends',
    'ends',
  ]);
});

test('E216 when the other process does not finish, and free after a failure', async () => {
  const place = makePlace();
  const busy = expect.objectContaining({ code: 'E216' });
  await withPlaceLocked(place, waiting(0), async () => {
    await expect(withPlaceLocked(place, waiting(50), () => {})).rejects.toEqual(busy);
    await expect(withPlaceLocked(place, waiting(60_000, AbortSignal.abort()), () => {})).rejects.toEqual(
      busy,
    );
  });
  const failure = new Error('in the work');
  await expect(
    withPlaceLocked(place, waiting(0), () => {
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(await withPlaceLocked(place, waiting(0), () => 'free')).toBe('free');
});

test('no lock is created through a link', async () => {
  const place = makePlace();
  const outside = join(place.base, '..', 'outside');
  mkdirSync(outside);
  symlinkSync(outside, place.work);
  await expect(withPlaceLocked(place, waiting(0), () => {})).rejects.toEqual(
    expect.objectContaining({ code: 'E016' }),
  );
});
