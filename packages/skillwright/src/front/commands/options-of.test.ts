import { describe, expect, test } from 'vitest';
import { sampleCommand } from '../../../test/argument-table.ts';
import { optionsOf } from './options-of.ts';
import { commandNames, commandTable } from './table.ts';

test('fields become positionals and flags', () => {
  const { positionals, flags } = optionsOf(sampleCommand);
  expect(positionals).toEqual([
    {
      field: 'target',
      flag: 'target',
      kind: 'string',
      values: ['alpha', 'beta', 'gamma'],
      multiple: false,
      required: true,
      default: undefined,
      description: 'Where to',
      short: undefined,
    },
    expect.objectContaining({ field: 'rest', multiple: true, required: false, default: [] }),
  ]);
  expect(flags.map(({ flag, kind, short, multiple }) => [flag, kind, short, multiple])).toEqual([
    ['fix', 'boolean', 'f', false],
    ['color', 'boolean', undefined, false],
    ['name', 'string', 'n', false],
    ['level', 'string', 'l', false],
    ['max-lines', 'number', 'm', false],
    ['ratio', 'number', undefined, false],
    ['tag', 'string', 't', true],
    ['size', 'number', undefined, true],
  ]);
});

describe.each(commandNames)('%s', (name) => {
  test('is declared completely', async () => {
    const command = await commandTable[name].load();
    const { positionals, flags } = optionsOf(command);
    const all = [...positionals, ...flags];
    expect(all.filter(({ description }) => description === '')).toEqual([]);
    expect(positionals.slice(0, -1).filter(({ multiple }) => multiple)).toEqual([]);
    const required = positionals.map((option) => option.required);
    expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
    const letters = flags.flatMap(({ short }) => (short === undefined ? [] : [short]));
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.filter((letter) => !/^[a-gi-zA-UW-Z]$/.test(letter))).toEqual([]);
    expect(flags.filter(({ flag }) => ['json', 'format', 'help'].includes(flag))).toEqual([]);
    expect(
      Object.keys(command.short ?? {}).filter((field) => !all.some((option) => option.field === field)),
    ).toEqual([]);
  });
});
