import { describe, expect, test } from 'vitest';
import { sampleCommand } from '../../../test/argument-table.ts';
import { optionNamed, optionsOf, shortFlagTable } from './options-of.ts';
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
      short: 't',
    },
    expect.objectContaining({ field: 'rest', multiple: true, required: false, default: [] }),
  ]);
  expect(flags.map(({ flag, kind, short, multiple }) => [flag, kind, short, multiple])).toEqual([
    ['yes', 'boolean', 'y', false],
    ['color', 'boolean', undefined, false],
    ['file', 'string', 'f', false],
    ['profile', 'string', 'p', false],
    ['max-lines', 'number', 'm', false],
    ['ratio', 'number', undefined, false],
    ['section', 'string', 's', true],
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
    expect(flags.filter(({ flag }) => ['json', 'format', 'help'].includes(flag))).toEqual([]);
  });
});

describe('letters', () => {
  test('the whole table', () => {
    expect(Object.fromEntries(shortFlagTable())).toEqual({
      a: 'all',
      b: 'group-by',
      d: 'domain',
      f: 'file',
      g: 'global',
      l: 'limit',
      m: 'max-lines',
      n: 'dry-run',
      p: 'profile',
      s: 'section',
      t: 'target',
      w: 'watch',
      y: 'yes',
    });
  });

  test('mean one flag in every command, and every one is used', async () => {
    const meanings = new Set<string>();
    for (const name of commandNames) {
      for (const { flag, short } of optionsOf(await commandTable[name].load()).flags) {
        if (short !== undefined) meanings.add(`${short} ${flag}`);
      }
    }
    expect([...meanings].toSorted()).toEqual(shortFlagTable().map((pair) => pair.join(' ')));
  });

  test('do not collide with help and version', () => {
    expect(shortFlagTable().filter(([letter]) => ['h', 'V'].includes(letter))).toEqual([]);
  });
});

test('--agent and --target mean the same', async () => {
  for (const name of ['build', 'install', 'find', 'skills', 'roots'] as const) {
    const { flags } = optionsOf(await commandTable[name].load());
    const named = ['target', 'agent', 'agents'].map((word) => optionNamed(flags, word)?.flag);
    expect(new Set(named).size, name).toBe(1);
    expect(['target', 'agents']).toContain(named[0]);
  }
});
