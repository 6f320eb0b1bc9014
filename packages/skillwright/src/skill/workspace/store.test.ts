import { expect, test } from 'vitest';
import { storeAt } from './store.ts';

test('paths of a store', () => {
  expect(storeAt('project', '/p')).toEqual({
    scope: 'project',
    base: '/p',
    root: '/p/.skillc',
    skills: '/p/.skillc/skills',
    runtime: '/p/.skillc/runtime',
    config: '/p/.skillc/config.toml',
    lock: '/p/.skillc/lock.json',
    state: '/p/.skillc/state.json',
    cache: '/p/.skillc/cache',
    backups: '/p/.skillc/backups',
    made: '/p/.skillc/made',
  });
});
