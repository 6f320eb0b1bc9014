import { expect, test } from 'vitest';
import type { Backend, Stamps } from './backend.ts';
import { createSubscriptions } from './subscriptions.ts';

/** Subscriptions to files whose state is what the test says. */
function makeSubscriptions(stamps: Record<string, string | null | undefined>, maxSubscriptions?: number) {
  const told: string[] = [];
  let looks = 0;
  const stamp = async (): Promise<Stamps> => {
    looks += 1;
    return { ...stamps };
  };
  const subscriptions = createSubscriptions({
    backend: { stamp } as unknown as Backend,
    caller: async () => ({ connection: 'c', cwd: '/', quizzes: undefined }),
    tell: (uri) => told.push(uri),
    ...(maxSubscriptions === undefined ? {} : { maxSubscriptions }),
  });
  return { subscriptions, told, looks: () => looks };
}

test('a file is told once for each change, also when it goes', async () => {
  const stamps: Record<string, string | null | undefined> = { a: '1', b: '1' };
  const { subscriptions, told } = makeSubscriptions(stamps);
  await subscriptions.add('a');
  await subscriptions.look();
  expect(told).toEqual([]);
  stamps.a = '2';
  stamps.b = '2';
  await subscriptions.look();
  await subscriptions.look();
  stamps.a = null;
  await subscriptions.look();
  expect(told).toEqual(['a', 'a']);
});

test('what is withdrawn is not spoken of, and cannot be subscribed', async () => {
  const stamps: Record<string, string | null | undefined> = { a: '1' };
  const { subscriptions, told } = makeSubscriptions(stamps);
  await subscriptions.add('a');
  stamps.a = undefined;
  await subscriptions.look();
  await expect(subscriptions.add('a')).rejects.toThrow('Resource a not found');
  stamps.a = '2';
  await subscriptions.look();
  expect(told).toEqual([]);
});

test('there are no more than there may be', async () => {
  const { subscriptions } = makeSubscriptions({ a: '1', b: '1', c: '1' }, 2);
  await subscriptions.add('a');
  await subscriptions.add('b');
  await expect(subscriptions.add('c')).rejects.toThrow(
    'E095: too many subscriptions: a connection may have 2',
  );
  subscriptions.remove('a');
  await subscriptions.add('c');
});

test('many changes at once are two looks, and without subscriptions there is none', async () => {
  const { subscriptions, looks } = makeSubscriptions({ a: '1' });
  await subscriptions.look();
  expect(looks()).toBe(0);
  await subscriptions.add('a');
  await Promise.all(Array.from({ length: 50 }, () => subscriptions.look()));
  expect(looks()).toBe(1 + 2);
});
