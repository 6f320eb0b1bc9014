import { describe, expect, test } from 'vitest';
import { inputSchema } from './field-schema.ts';
import { acceptFields } from './fields.ts';
import { commandNames, commandTable } from './table.ts';

const one = {
  text: { type: 'string', about: 'x', min: 2 },
  many: { type: 'string', about: 'x', list: true, required: true },
  count: { type: 'integer', about: 'x', positive: true, max: 6, default: 3 },
  offset: { type: 'integer', about: 'x', min: 0 },
  on: { type: 'boolean', about: 'x', default: false },
  some: { type: 'string', about: 'x', list: true, values: ['a', 'b'], default: [] },
  share: { type: 'number', about: 'x', min: 0, max: 1, default: 0.5 },
  range: {
    type: 'string',
    about: 'x',
    pattern: { expression: /^\d+(-\d+)?$/, otherwise: 'must be a range' },
    check: { accepts: (value: string) => value !== '0', otherwise: 'must not be 0' },
  },
} as const;

describe('fields accept what their schema accepts', () => {
  test.each([
    [{ many: ['a'] }],
    [{}],
    [{ many: [] }],
    [{ many: ['a', ''], text: 'ab' }],
    [{ many: ['a'], text: 'a' }],
    [{ many: ['a'], count: 0 }],
    [{ many: ['a'], count: 1 }],
    [{ many: ['a'], count: 6 }],
    [{ many: ['a'], count: 7 }],
    [{ many: ['a'], count: 1.5 }],
    [{ many: ['a'], count: 2 ** 60 }],
    [{ many: ['a'], offset: 0 }],
    [{ many: ['a'], offset: -1 }],
    [{ many: ['a'], on: true }],
    [{ many: ['a'], range: '1-4' }],
    [{ many: ['a'], range: 'x' }],
    [{ many: ['a'], range: '0' }],
    [{ many: 'a' }],
    [{ many: ['a'], on: 'true' }],
    [{ many: ['a'], count: '3' }],
    [{ many: ['a'], text: 5 }],
    [{ many: ['a'], some: ['b', 'a'] }],
    [{ many: ['a'], some: ['c'] }],
    [{ many: ['a'], share: 0.25 }],
    [{ many: ['a'], share: 1.5 }],
  ])('%j', (given) => {
    expect(acceptFields(one, given)).toEqual(inputSchema(one).safeParse(given).data);
  });
});

test('only the commands that read or run a skill load the schema of their result on demand', async () => {
  const declared = await Promise.all(commandNames.map((name) => commandTable[name].declared()));
  expect(commandNames.filter((_, at) => typeof declared[at]!.output === 'function')).toEqual([
    'show',
    'outline',
    'search',
    'open',
    'sources',
    'run',
  ]);
});
