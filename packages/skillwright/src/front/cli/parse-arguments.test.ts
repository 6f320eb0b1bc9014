import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  inputWith,
  meaningOf,
  misunderstood,
  sampleCommand,
  understood,
} from '../../../test/argument-table.ts';
import { defineCommand } from '../commands/define-command.ts';
import { formatsOf, parseArguments } from './parse-arguments.ts';

describe('parseArguments', () => {
  test.each(understood.map(([words, changes, format]) => ({ words, changes, format })))(
    '$words',
    async ({ words, changes, format = 'text' }) => {
      expect(await meaningOf(words)).toEqual({ input: inputWith(changes), format });
    },
  );

  test.each(misunderstood.map(([words, why, help]) => ({ words, why, help })))(
    '$words fails: $why',
    async ({ words, why, help }) => {
      const message = why;
      expect(await meaningOf(words)).toEqual(
        help === undefined ? ['E100', message] : ['E100', message, help],
      );
    },
  );

  test('a command without positionals takes none', async () => {
    const bare = defineCommand({
      fields: {},
      positionals: [],
      output: z.object({}),
      effect: 'read',
      writes: [],
      touches: 'nothing',
      run: () => ({}),
      text: () => '',
    });
    expect(await parseArguments(bare, [])).toEqual({ input: {}, format: 'text' });
    await expect(parseArguments(bare, ['x'])).rejects.toThrow("unexpected argument 'x'");
    expect(formatsOf(bare)).toEqual(['text', 'json']);
    expect(formatsOf(sampleCommand)).toEqual(['text', 'json', 'sarif']);
  });

  test('error messages cannot send escape codes to the terminal', async () => {
    expect(await meaningOf(['alpha', '--\u001b[2J'])).toEqual(['E100', "invalid option: '--\\u001b[2J'"]);
  });

  test('Bun parses the same', async () => {
    const script = fileURLToPath(new URL('../../../test/argument-table.ts', import.meta.url));
    const bun = fileURLToPath(new URL('../../../../../node_modules/.bin/bun', import.meta.url));
    const printed = execFileSync(bun, [script], { encoding: 'utf8' });
    const here = await Promise.all([...understood, ...misunderstood].map(([words]) => meaningOf(words)));
    expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(here)));
  });
});
