// A command with every kind of flag, and the parses of command lines. Run as a script it prints the parses,
// so that two runtimes can be compared.

import { z } from 'zod';
import { SkillwrightError } from '../src/base/diagnostics/skillwright-error.ts';
import { parseArguments } from '../src/front/cli/parse-arguments.ts';
import { defineCommand } from '../src/front/commands/define-command.ts';
import { choice, flag, integer, text, texts } from '../src/front/commands/fields.ts';

/** Does nothing; only its shape matters. */
export const sampleCommand = defineCommand({
  fields: {
    target: choice(['alpha', 'beta', 'gamma'], 'Where to', { required: true }),
    rest: texts('What else'),
    yes: flag('Fix it'),
    color: { type: 'boolean', default: true, about: 'Paint it' },
    file: text('Its name'),
    profile: choice(['low', 'high'], 'How much', { default: 'low' }),
    max_lines: integer('How many', { min: 0 }),
    ratio: { type: 'number', about: 'How steep' },
    section: texts('What about'),
    size: { type: 'number', list: true, about: 'How large' },
  },
  positionals: ['target', 'rest'],
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
  yes: false,
  color: true,
  profile: 'low',
  section: [] as string[],
};

/** Valid command lines: the words, and the difference from plain `alpha`. */
export const understood: readonly (readonly [words: string[], input: object, format?: string])[] = [
  [['alpha'], {}],
  [['beta', 'x', 'y'], { target: 'beta', rest: ['x', 'y'] }],
  [['alpha', '--yes'], { yes: true }],
  [['--yes', 'alpha'], { yes: true }],
  [['-y', 'alpha'], { yes: true }],
  [['alpha', '--no-yes'], { yes: false }],
  [['alpha', '--no-color'], { color: false }],
  [['alpha', '--color'], { color: true }],
  [['alpha', '--file', 'x'], { file: 'x' }],
  [['alpha', '--file=x'], { file: 'x' }],
  [['alpha', '--file='], { file: '' }],
  [['alpha', '--file=--yes'], { file: '--yes' }],
  [['alpha', '--file', '-'], { file: '-' }],
  [['alpha', '--file', '- x'], { file: '- x' }],
  [['alpha', '--file=a=b'], { file: 'a=b' }],
  [['alpha', '-f', 'x'], { file: 'x' }],
  [['alpha', '-fx'], { file: 'x' }],
  [['alpha', '-yf', 'x'], { yes: true, file: 'x' }],
  [['alpha', '-yfx'], { yes: true, file: 'x' }],
  [['alpha', '-f=x'], { file: '=x' }],
  [['alpha', '--max-lines', '5'], { max_lines: 5 }],
  [['alpha', '--max-lines=0'], { max_lines: 0 }],
  [['alpha', '-m', '+7'], { max_lines: 7 }],
  [['alpha', '--ratio', '-1.5'], { ratio: -1.5 }],
  [['alpha', '--ratio=-1.5'], { ratio: -1.5 }],
  [['alpha', '--profile', 'high'], { profile: 'high' }],
  [['alpha', '--section', 'a', '-s', 'b', '--section=c'], { section: ['a', 'b', 'c'] }],
  [['alpha', '--size', '1', '--size', '-2'], { size: [1, -2] }],
  [['alpha', '--', '--yes', '-f', '--help'], { rest: ['--yes', '-f', '--help'] }],
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

/** Invalid command lines: the words, the reason, and the help line. */
export const misunderstood: readonly (readonly [words: string[], why: string, help?: string])[] = [
  [[], 'missing <target>'],
  [['--yes'], 'missing <target>'],
  [['bata'], "<target> cannot be 'bata'", 'did you mean beta?'],
  [['omega'], "<target> cannot be 'omega'", 'use one of: alpha, beta, gamma'],
  [[''], '<target> cannot be empty', 'use one of: alpha, beta, gamma'],
  [['alpha', '--yse'], "invalid option: '--yse'", 'did you mean --yes?'],
  [['alpha', '--jsn'], "invalid option: '--jsn'", 'did you mean --json?'],
  [['alpha', '--max_lines', '3'], "invalid option: '--max_lines'", 'did you mean --max-lines?'],
  [['alpha', '--whatever=3'], "invalid option: '--whatever'"],
  [['alpha', '--target', 'beta'], "invalid option: '--target'"],
  [['alpha', '-x'], "invalid option: '-x'"],
  [['alpha', '-yx'], "invalid option: '-x'"],
  [['alpha', '-5'], "invalid option: '-5'"],
  [['alpha', '---yes'], "invalid option: '---yes'", 'did you mean --yes?'],
  [['alpha', '--=x'], "invalid option: '--=x'"],
  [['alpha', '--__proto__'], "invalid option: '--__proto__'"],
  [['alpha', '--constructor'], "invalid option: '--constructor'"],
  [['alpha', '--yes=true'], '--yes takes no value'],
  [['alpha', '--no-yes=true'], '--no-yes takes no value'],
  [['alpha', '--json=true'], '--json takes no value'],
  [['alpha', '--no-json'], "invalid option: '--no-json'", 'did you mean --json?'],
  [['alpha', '--no-file'], "invalid option: '--no-file'", '--file takes a value'],
  [['alpha', '--no-format'], "invalid option: '--no-format'", 'did you mean --format?'],
  [['alpha', '--no-such'], "invalid option: '--no-such'"],
  [['alpha', '--yes', '--yes'], '--yes given twice'],
  [['alpha', '--yes', '--no-yes'], '--yes given twice'],
  [['alpha', '--file', 'x', '-f', 'y'], '--file given twice'],
  [['alpha', '--file'], '--file needs a value'],
  [['alpha', '-f'], '-f needs a value'],
  [['alpha', '--file', '--yes'], '--file needs a value', 'write --file=--yes if --yes is the value'],
  [['alpha', '-f', '-y'], '-f needs a value', 'write -f-y if -y is the value'],
  [['alpha', '--file', '--', 'x'], '--file needs a value', 'write --file=-- if -- is the value'],
  [['alpha', '--profile', 'hihg'], "--profile cannot be 'hihg'", 'did you mean high?'],
  [['alpha', '-p', 'medium'], "-p cannot be 'medium'", 'use one of: low, high'],
  [['alpha', '--profile='], '--profile cannot be empty', 'use one of: low, high'],
  [['alpha', '--max-lines', 'many'], "--max-lines needs a number, not 'many'"],
  [['alpha', '--max-lines', '5x'], "--max-lines needs a number, not '5x'"],
  [['alpha', '--max-lines', '0x10'], "--max-lines needs a number, not '0x10'"],
  [['alpha', '--max-lines', '1e3'], "--max-lines needs a number, not '1e3'"],
  [['alpha', '--max-lines', ' 5'], "--max-lines needs a number, not ' 5'"],
  [['alpha', '--max-lines='], '--max-lines needs a number, not nothing'],
  [['alpha', '--max-lines', 'Infinity'], "--max-lines needs a number, not 'Infinity'"],
  [['alpha', '--max-lines', '-1'], '--max-lines must be at least 0'],
  [['alpha', '--max-lines', '1.5'], '--max-lines must be a whole number'],
  [['alpha', '--size', '1', '--size', 'x'], "--size needs a number, not 'x'"],
  [['alpha', '--format'], '--format needs a value'],
  [['alpha', '--format', 'xml'], "--format cannot be 'xml'", 'use one of: text, json, sarif'],
  [['alpha', '--format', 'jsno'], "--format cannot be 'jsno'", 'did you mean json?'],
  [['alpha', '--format', 'sarif', '--json'], '--format sarif and --format json exclude each other'],
  [['alpha', '--format', 'text', '--format', 'json'], '--format text and --format json exclude each other'],
];

/** The parse of a command line: its input and format, or the error. */
export async function meaningOf(words: readonly string[]): Promise<unknown> {
  try {
    return await parseArguments(sampleCommand, words);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return error.help === undefined ? [error.code, error.message] : [error.code, error.message, error.help];
  }
}

/** The input of plain `alpha` with some fields changed. */
export const inputWith = (changes: object) => ({ ...base, ...changes });

if (process.argv[1]?.endsWith('argument-table.ts')) {
  const meanings = await Promise.all([...understood, ...misunderstood].map(([words]) => meaningOf(words)));
  process.stdout.write(`${JSON.stringify(meanings)}\n`);
}
