import { expect, test } from 'vitest';
import { storePaths } from './store-paths.ts';

test('the places of a store', () => {
  expect(storePaths('/p')).toEqual({
    root: '/p/.skillc',
    skills: '/p/.skillc/skills',
    runtime: '/p/.skillc/runtime',
    config: '/p/.skillc/config.toml',
    lock: '/p/.skillc/lock.json',
    state: '/p/.skillc/state.json',
  });
});
