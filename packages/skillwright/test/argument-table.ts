// A command with every kind of flag, and what command lines mean to it. Run as a script it prints the meanings,
// so that two runtimes can be compared.

import { z } from 'zod';
import { SkillwrightError } from '../src/base/diagnostics/skillwright-error.ts';
import { parseArguments } from '../src/front/cli/parse-arguments.ts';
import { defineCommand } from '../src/front/commands/define-command.ts';

/** Does nothing; only its shape matters. */
export const sampleCommand = defineCommand({
  input: z.strictObject({
    target: z.enum(['alpha', 'beta', 'gamma']).describe('Where to'),
    rest: z.array(z.string()).default([]).describe('What else'),
    fix: z.boolean().default(false).describe('Fix it'),
    color: z.boolean().default(true).describe('Paint it'),
    name: z.string().optional().describe('Its name'),
    level: z.enum(['low', 'high']).default('low').describe('How much'),
    max_lines: z.number().int().nonnegative().optional().describe('How many'),
    ratio: z.number().optional().describe('How steep'),
    tag: z.array(z.string()).default([]).describe('What about'),
    size: z.array(z.number()).optional().describe('How large'),
  }),
  positionals: ['target', 'rest'],
  short: { fix: 'f', name: 'n', level: 'l', tag: 't', max_lines: 'm' },
  output: z.object({}),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  run: () => ({}),
  text: () => '',
  formats: { sarif: () => '' },
});

const base = {
  target: 'alpha',
  rest: [] as string[],
  fix: false,
  color: true,
  level: 'low',
  tag: [] as string[],
};

/** Command lines that can be understood: the words, and what differs from plain `alpha`. */
export const understood: readonly (readonly [words: string[], input: object, format?: string])[] = [
  [['alpha'], {}],
  [['beta', 'x', 'y'], { target: 'beta', rest: ['x', 'y'] }],
  [['alpha', '--fix'], { fix: true }],
  [['--fix', 'alpha'], { fix: true }],
  [['-f', 'alpha'], { fix: true }],
  [['alpha', '--no-fix'], { fix: false }],
  [['alpha', '--no-color'], { color: false }],
  [['alpha', '--color'], { color: true }],
  [['alpha', '--name', 'x'], { name: 'x' }],
  [['alpha', '--name=x'], { name: 'x' }],
  [['alpha', '--name='], { name: '' }],
  [['alpha', '--name=--fix'], { name: '--fix' }],
  [['alpha', '--name', '-'], { name: '-' }],
  [['alpha', '--name', '- x'], { name: '- x' }],
  [['alpha', '--name=a=b'], { name: 'a=b' }],
  [['alpha', '-n', 'x'], { name: 'x' }],
  [['alpha', '-nx'], { name: 'x' }],
  [['alpha', '-fn', 'x'], { fix: true, name: 'x' }],
  [['alpha', '-fnx'], { fix: true, name: 'x' }],
  [['alpha', '-n=x'], { name: '=x' }],
  [['alpha', '--max-lines', '5'], { max_lines: 5 }],
  [['alpha', '--max-lines=0'], { max_lines: 0 }],
  [['alpha', '-m', '+7'], { max_lines: 7 }],
  [['alpha', '--ratio', '-1.5'], { ratio: -1.5 }],
  [['alpha', '--ratio=-1.5'], { ratio: -1.5 }],
  [['alpha', '--level', 'high'], { level: 'high' }],
  [['alpha', '--tag', 'a', '-t', 'b', '--tag=c'], { tag: ['a', 'b', 'c'] }],
  [['alpha', '--size', '1', '--size', '-2'], { size: [1, -2] }],
  [['alpha', '--', '--fix', '-n', '--help'], { rest: ['--fix', '-n', '--help'] }],
  [['--', 'alpha', '--', 'x'], { rest: ['--', 'x'] }],
  [['alpha', '-', 'x'], { rest: ['-', 'x'] }],
  [['alpha', ''], { rest: [''] }],
  [['alpha', '--json'], {}, 'json'],
  [['alpha', '--json', '--json'], {}, 'json'],
  [['alpha', '--format', 'json', '--json'], {}, 'json'],
  [['alpha', '--format=sarif'], {}, 'sarif'],
  [['alpha', '--format', 'text'], {}, 'text'],
  [['alpha', '--', '--json'], { rest: ['--json'] }],
];

/** Command lines that cannot: the words, why, and the help line. */
export const misunderstood: readonly (readonly [words: string[], why: string, help?: string])[] = [
  [[], 'missing <target>'],
  [['--fix'], 'missing <target>'],
  [['bata'], '<target> cannot be bata', 'did you mean beta?'],
  [['omega'], '<target> cannot be omega', 'use one of: alpha, beta, gamma'],
  [[''], '<target> cannot be empty', 'use one of: alpha, beta, gamma'],
  [['alpha', '--fxi'], 'unknown flag --fxi', 'did you mean --fix?'],
  [['alpha', '--jsn'], 'unknown flag --jsn', 'did you mean --json?'],
  [['alpha', '--max_lines', '3'], 'unknown flag --max_lines', 'did you mean --max-lines?'],
  [['alpha', '--whatever=3'], 'unknown flag --whatever'],
  [['alpha', '--target', 'beta'], 'unknown flag --target'],
  [['alpha', '-x'], 'unknown flag -x'],
  [['alpha', '-fx'], 'unknown flag -x'],
  [['alpha', '-5'], 'unknown flag -5'],
  [['alpha', '---fix'], 'unknown flag ---fix', 'did you mean --fix?'],
  [['alpha', '--=x'], 'unknown flag --=x'],
  [['alpha', '--__proto__'], 'unknown flag --__proto__'],
  [['alpha', '--constructor'], 'unknown flag --constructor'],
  [['alpha', '--fix=true'], '--fix takes no value'],
  [['alpha', '--no-fix=true'], '--no-fix takes no value'],
  [['alpha', '--json=true'], '--json takes no value'],
  [['alpha', '--no-json'], 'unknown flag --no-json', 'did you mean --json?'],
  [['alpha', '--no-name'], 'unknown flag --no-name', '--name takes a value'],
  [['alpha', '--no-format'], 'unknown flag --no-format', 'did you mean --format?'],
  [['alpha', '--no-such'], 'unknown flag --no-such'],
  [['alpha', '--fix', '--fix'], '--fix given twice'],
  [['alpha', '--fix', '--no-fix'], '--fix given twice'],
  [['alpha', '--name', 'x', '-n', 'y'], '--name given twice'],
  [['alpha', '--name'], '--name needs a value'],
  [['alpha', '-n'], '-n needs a value'],
  [['alpha', '--name', '--fix'], '--name needs a value', 'write --name=--fix if --fix is the value'],
  [['alpha', '-n', '-f'], '-n needs a value', 'write -n-f if -f is the value'],
  [['alpha', '--name', '--', 'x'], '--name needs a value', 'write --name=-- if -- is the value'],
  [['alpha', '--level', 'hihg'], '--level cannot be hihg', 'did you mean high?'],
  [['alpha', '-l', 'medium'], '-l cannot be medium', 'use one of: low, high'],
  [['alpha', '--level='], '--level cannot be empty', 'use one of: low, high'],
  [['alpha', '--max-lines', 'many'], '--max-lines needs a number, not many'],
  [['alpha', '--max-lines', '5x'], '--max-lines needs a number, not 5x'],
  [['alpha', '--max-lines', '0x10'], '--max-lines needs a number, not 0x10'],
  [['alpha', '--max-lines', '1e3'], '--max-lines needs a number, not 1e3'],
  [['alpha', '--max-lines', ' 5'], '--max-lines needs a number, not  5'],
  [['alpha', '--max-lines='], '--max-lines needs a number, not nothing'],
  [['alpha', '--max-lines', 'Infinity'], '--max-lines needs a number, not Infinity'],
  [['alpha', '--max-lines', '-1'], '--max-lines must be at least 0'],
  [['alpha', '--max-lines', '1.5'], '--max-lines must be a whole number'],
  [['alpha', '--size', '1', '--size', 'x'], '--size needs a number, not x'],
  [['alpha', '--format'], '--format needs a value'],
  [['alpha', '--format', 'xml'], '--format cannot be xml', 'use one of: text, json, sarif'],
  [['alpha', '--format', 'jsno'], '--format cannot be jsno', 'did you mean json?'],
  [['alpha', '--format', 'sarif', '--json'], '--format sarif and --format json at once'],
  [['alpha', '--format', 'text', '--format', 'json'], '--format text and --format json at once'],
];

/** What a command line means: its input and format, or why it means nothing. */
export function meaningOf(words: readonly string[]): unknown {
  try {
    return parseArguments(sampleCommand, words);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return error.help === undefined ? [error.code, error.message] : [error.code, error.message, error.help];
  }
}

/** The input of plain `alpha` with some fields changed. */
export const inputWith = (changes: object) => ({ ...base, ...changes });

if (process.argv[1]?.endsWith('argument-table.ts')) {
  const meanings = [...understood, ...misunderstood].map(([words]) => meaningOf(words));
  process.stdout.write(`${JSON.stringify(meanings)}\n`);
}
