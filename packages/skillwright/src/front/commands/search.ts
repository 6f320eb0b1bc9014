// skc search: sections by what they say.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type FoundSection, searchSkill, withIndex } from '../../read/gateway/index.ts';
import type { Actor } from '../../skill/judge/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { fresh, gatewayOptions } from './gateway-options.ts';
import { type Call, spellCall } from './spell-call.ts';

const DEFAULT_LIMIT = 10;

const Result = z.object({
  file: z.string(),
  section: z.string(),
  anchor: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  heading: z.string().optional().describe('The heading with its matches marked, when it has any'),
  snippet: z.string(),
  score: z.number(),
  command: z.string().describe('Shows this section'),
});

/** Finds sections of a skill. */
export const search = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    query: z.array(z.string()).min(1).describe('Words to look for, or a question'),
    limit: z.number().int().positive().max(100).default(DEFAULT_LIMIT).describe('Most results'),
    fresh,
    author,
  }),
  positionals: ['skill', 'query'],
  short: { limit: 'n' },
  output: z.object({
    query: z.string(),
    results: z.array(Result),
    relaxed: z.literal(true).optional().describe('Present when no section has all the words'),
    try: z.array(z.string()).optional().describe('What to try when there are no results'),
  }),
  effect: 'read',
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
    const { skill, limit } = input;
    const { by } = context;
    const call = {
      name: 'search',
      positionals: ['skill', 'query'],
      input: { skill, query: input.query, limit: limit === DEFAULT_LIMIT ? undefined : limit },
    };
    const options = await gatewayOptions(input, context, call);
    const { results, relaxed } = await withIndex(context.skill!, options, (opened) =>
      searchSkill(opened, query, { limit }),
    );
    if (results.length === 0) return { query, results: [], try: whatToTry(skill, by) };
    return {
      query,
      results: results.map(({ name, level, ...result }) => ({
        ...result,
        command: spellCall(callFor({ skill, name, ...result }), by),
      })),
      ...(relaxed ? { relaxed: true as const } : {}),
    };
  },
  text({ query, results, relaxed, try: hints = [] }, { paint }) {
    if (results.length === 0)
      return `${[`no results for ${JSON.stringify(query)}`, ...hints.map((hint) => `try: ${hint}`)].join('\n')}\n`;
    const note = relaxed ? ['no section has all the words; the closest:', ''] : [];
    const blocks = results.map(({ file, section, heading, start_line, end_line, snippet, command }) => {
      const place = `${file}:${start_line}-${end_line}`;
      // Text before the first heading has no name but its place.
      const title =
        section === '' ? paint.strong(place) : `${paint.strong(heading ?? section)}  ${paint.faint(place)}`;
      return [title, ...(snippet === '' ? [] : [`  ${snippet}`]), `  ${command}`].join('\n');
    });
    return `${[...note, ...blocks].join('\n')}\n`;
  },
});

type Found = Pick<FoundSection, 'name' | 'file' | 'start_line' | 'end_line'> & { readonly skill: string };

/** What shows a result: text without a heading is opened by its lines. */
function callFor({ skill, name, file, start_line, end_line }: Found): Call {
  if (name !== undefined)
    return {
      name: 'show',
      positionals: ['skill'],
      input: { skill, section: [name.section], file: name.file },
    };
  const lines = `${start_line}-${end_line}`;
  return { name: 'open', positionals: ['skill', 'path'], input: { skill, path: file, lines } };
}

function whatToTry(skill: string, by: Actor): string[] {
  const calls = ['outline', 'sources'].map((name) =>
    spellCall({ name, positionals: ['skill'], input: { skill } }, by),
  );
  return ['fewer, shorter or other words', ...calls];
}
