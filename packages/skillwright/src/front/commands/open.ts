// skc open: one file of a skill.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { withMore } from '../../read/gateway/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';

/** Prints a file of a skill as it is. */
export const open = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    path: z.string().describe('A file, relative to the skill'),
    max_lines: z.number().int().positive().optional().describe('Most lines to print'),
    lines: z
      .string()
      .regex(/^[1-9]\d*(-[1-9]\d*)?$/, 'must be a line or a range such as 10-40')
      .refine((range) => {
        const [from, to = from] = range.split('-').map(Number);
        return from! <= to!;
      }, 'must be a range that goes up, such as 10-40')
      .optional()
      .describe('A range of lines, such as 10-40'),
    author,
  }),
  positionals: ['skill', 'path'],
  short: { max_lines: 'n' },
  output: z.object({
    skill: z.string(),
    path: z.string(),
    content: z.string(),
    more_lines: z.number().int().describe('Lines left out at the end'),
  }),
  effect: 'read',
  writes: [],
  usersOwn: { author: false },
  touches: { skill: 'skill', operation: 'read' },
  served: ({ path }) => ({ files: [path] }),
  examples: [
    { line: 'skc open pdf-forms references/fields.md', note: 'the whole file' },
    { line: 'skc open pdf-forms scripts/fill.py --lines 10-40', note: 'a part of it' },
  ],
  async run(input, context) {
    const { openFile, pathInside } = await import('../../read/gateway/open-file.ts');
    const [from, to = from] = (input.lines ?? '').split('-').map(Number) as [number, number?];
    const lines = input.lines === undefined ? undefined : ([from, to] as const);
    const skill = context.skill!;
    const { reached, ...file } = openFile(skill.dir, { path: input.path, maxLines: input.max_lines, lines });
    // Asked after reading: whatever was edited in between has closed the gate.
    const place = pathInside(skill.dir, input.path);
    const reach = await skill.reach([place]);
    if (!reach.allowsFile(place)) throw reach.refusal(input.skill, place);
    if (!reached) context.note(`${makeVisible(input.path)} ends before line ${from}`);
    return { skill: input.skill, ...file };
  },
  text: ({ content, more_lines }) => withMore(content, more_lines),
});
