import { expect, test } from 'vitest';
import { boundHeap, type Replaceable } from './bound-heap.ts';

function restart(process: Partial<Replaceable>): unknown[] {
  const calls: unknown[] = [];
  boundHeap({
    argv: ['/bin/node', '/app/main.js', '--port', '0'],
    execArgv: [],
    execPath: '/bin/node',
    env: {},
    execve: (...call) => {
      calls.push(call);
    },
    ...process,
  });
  return calls;
}

test('a server starts again with a bounded heap, once', () => {
  const flags = ['--max-semi-space-size=16', '--heap-growing-percent=50'];
  expect(restart({ execArgv: ['--enable-source-maps'] })).toEqual([
    ['/bin/node', ['/bin/node', '--enable-source-maps', ...flags, '/app/main.js', '--port', '0']],
  ]);
  expect(restart({ execArgv: flags })).toEqual([]);
});

test('a heap that was sized by hand stays, and so does a program that cannot be replaced', () => {
  expect(restart({ env: { NODE_OPTIONS: '--max_old_space_size=200' } })).toEqual([]);
  expect(
    restart({
      execve: () => {
        throw new Error('not here');
      },
    }),
  ).toEqual([]);
  expect(() => restart({ execve: undefined as never })).not.toThrow();
});
