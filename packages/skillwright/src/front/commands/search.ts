// skc search: sections by what they say.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { searchSkill, withIndex } from '../../read/gateway/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { fresh, gatewayOptions } from './gateway-options.ts';

const Result = z.object({
  file: z.string(),
  section: z.string(),
  anchor: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  snippet: z.string(),
  score: z.number(),
});

/** Finds sections of a skill. */
export const search = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    query: z.array(z.string()).min(1).describe('Words to look for, or a question'),
    limit: z.number().int().positive().max(100).default(10).describe('Most results'),
    fresh,
    author,
  }),
  positionals: ['skill', 'query'],
  short: { limit: 'n' },
  output: z.object({
    query: z.string(),
    results: z.array(Result),
    relaxed: z.literal(true).optional().describe('Present when no section has all the words'),
  }),
  effect: 'read',
  writes: ['runtime directories'],
  usersOwn: { author: false },
  touches: { skill: 'skill', operation: 'read' },
  served: ({ results }) => ({ results: results.length }),
  about:
    'All words must be found; when no section has them all, the best sections with some of them are given.',
  examples: [
    { line: 'skc search pdf-forms checkbox', note: 'a word' },
    { line: 'skc search pdf-forms "how do I fill a form twice?"', note: 'a question' },
  ],
  async run(input, context) {
    const query = input.query.join(' ');
    if (query.trim() === '') throw SkillwrightError.of('E004', {});
    const options = await gatewayOptions(input, context);
    const { results, relaxed } = await withIndex(context.skill!, options, (opened) =>
      searchSkill(opened, query, { limit: input.limit }),
    );
    return { query, results, ...(relaxed && results.length > 0 ? { relaxed: true as const } : {}) };
  },
  text({ query, results, relaxed }, { paint }) {
    if (results.length === 0) return `no results for ${JSON.stringify(query)}\n`;
    const note = relaxed ? ['no section has all the words; the closest:', ''] : [];
    const blocks = results.map(({ file, section, start_line, end_line, snippet }) => {
      const place = `${file}:${start_line}-${end_line}`;
      // Text before the first heading has no name but its place.
      const title = section === '' ? paint.strong(place) : `${paint.strong(section)}  ${paint.faint(place)}`;
      return snippet === '' ? title : `${title}\n  ${snippet}`;
    });
    return `${[...note, ...blocks].join('\n')}\n`;
  },
});
