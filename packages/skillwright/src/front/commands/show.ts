// skc show: one section, or several.

import * as z from 'zod';
import { showSection, withIndex, withMore } from '../../read/gateway/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { fresh, gatewayOptions } from './gateway-options.ts';

const Section = z.object({
  file: z.string(),
  section: z.string(),
  anchor: z.string(),
  level: z.number().int(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  content: z.string(),
  more_lines: z.number().int().describe('Lines left out at the end'),
});

/** Prints sections of a skill by their headings. */
export const show = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    section: z.array(z.string()).min(1).describe('A heading, or #anchor'),
    file: z.string().optional().describe('Look in this file only'),
    max_lines: z.number().int().positive().optional().describe('Most lines to print of each section'),
    fresh,
    author,
  }),
  positionals: ['skill'],
  short: { section: 's', file: 'f', max_lines: 'n' },
  output: z.object({ skill: z.string(), sections: z.array(Section) }),
  effect: 'read',
  writes: ['runtime directories'],
  usersOwn: { author: false },
  touches: { skill: 'skill', operation: 'read' },
  served: ({ sections }) => ({ sections: sections.map(({ file, section }) => ({ file, section })) }),
  about: 'Matching ignores case. What follows ` — ` is ignored, so a line copied from a stub works as it is.',
  examples: [
    { line: 'skc show pdf-forms --section "Getting started"', note: 'one section' },
    { line: 'skc show pdf-forms -s "#getting-started" -s Limits', note: 'two, one by its anchor' },
  ],
  async run(input, context) {
    const options = await gatewayOptions(input, context);
    const shown = await withIndex(context.skill!, options, (opened) =>
      input.section.map((section) =>
        showSection(opened, { section, file: input.file, maxLines: input.max_lines }),
      ),
    );
    for (const { diagnostics } of shown) for (const diagnostic of diagnostics) context.report(diagnostic);
    return { skill: input.skill, sections: shown.map(({ section }) => section) };
  },
  text: ({ sections }) =>
    sections.map(({ content, more_lines }) => withMore(endLine(content), more_lines)).join('\n'),
});

const endLine = (text: string) => (/[\r\n]$/.test(text) ? text : `${text}\n`);
