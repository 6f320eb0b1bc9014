import { expect, test } from 'vitest';
import type { Backend, Stamps } from './backend.ts';
import { createSubscriptions } from './subscriptions.ts';

/** Subscriptions to files whose state the test controls. */
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

test('a file is reported once per change, also when it is deleted', async () => {
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

test('a withdrawn file is not reported, and cannot be subscribed to', async () => {
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

test('the number of subscriptions is limited', async () => {
  const { subscriptions } = makeSubscriptions({ a: '1', b: '1', c: '1' }, 2);
  await subscriptions.add('a');
  await subscriptions.add('b');
  await expect(subscriptions.add('c')).rejects.toThrow(
    'E095: too many subscriptions: a connection may have 2',
  );
  subscriptions.remove('a');
  await subscriptions.add('c');
});

test('many changes at once cause two checks; without subscriptions there are none', async () => {
  const { subscriptions, looks } = makeSubscriptions({ a: '1' });
  await subscriptions.look();
  expect(looks()).toBe(0);
  await subscriptions.add('a');
  await Promise.all(Array.from({ length: 50 }, () => subscriptions.look()));
  expect(looks()).toBe(1 + 2);
});
