// skc search: searches the sections of a skill.

import * as z from 'zod';
import { type Paint, plainPaint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { type FoundSection, searchSkill, withIndex } from '../../read/gateway/index.ts';
import type { Actor } from '../../skill/judge/index.ts';
import { author } from './author-flag.ts';
import { budgetFields, budgetOf } from './budget.ts';
import { defineCommand } from './define-command.ts';
import { fresh, gatewayOptions } from './gateway-options.ts';
import { type Call, spellCall } from './spell-call.ts';

const DEFAULT_LIMIT = 10;
/** With fewer results, the answer suggests how to get more. */
const FEW = 3;
/** Lines offered around a match in a long text without headings. */
const LINES_AROUND = 30;

const resultShape = () =>
  z.object({
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
    limit: z.number().int().positive().max(100).default(DEFAULT_LIMIT).describe('At most this many results'),
    any: z.boolean().default(false).describe('Include sections that have only some of the words'),
    ...budgetFields,
    fresh,
    author,
  }),
  positionals: ['skill', 'query'],
  get output() {
    return z.object({
      query: z.string(),
      results: z.array(resultShape()),
      relaxed: z.literal(true).optional().describe('Present when no section has all the words'),
      left_out: z
        .object({ results: z.number().int(), next: z.string().describe('The call that returns them too') })
        .optional()
        .describe('Present when the budget was too small for all results'),
      try: z.array(z.string()).optional().describe('Suggestions when there are few results, or none'),
    });
  },
  effect: 'read',
  writes: ['runtime directories'],
  usersOwn: { author: false },
  touches: { skill: 'skill', operation: 'read' },
  served: ({ results }) => ({ results: results.length }),
  about:
    'A section must contain all words. If none does, you get the best sections that contain some of them.',
  examples: [
    { line: 'skc search pdf-forms checkbox', note: 'search for a word' },
    { line: 'skc search pdf-forms "how do I fill a form twice?"', note: 'ask a question' },
  ],
  async run(input, context) {
    const query = input.query.join(' ');
    if (query.trim() === '') throw SkillwrightError.of('E004', {});
    const { skill, limit, any } = input;
    const { by } = context;
    const call = {
      name: 'search',
      positionals: ['skill', 'query'],
      input: {
        skill,
        query: input.query,
        limit: limit === DEFAULT_LIMIT ? undefined : limit,
        any: any || undefined,
      },
    };
    const options = await gatewayOptions(input, context, call);
    const { results, relaxed } = await withIndex(context.skill!, options, (opened) =>
      searchSkill(opened, query, { limit, any }),
    );
    if (results.length === 0) return { query, results: [], try: whatToTry(skill, by) };
    const found = results.map(({ name, level, passage, ...result }) => ({
      ...result,
      command: spellCall(callFor({ skill, name, passage, ...result }), by),
    }));
    const costs = found.map((result) => estimateTokens(renderResult(result, plainPaint)));
    const kept = countWithin(costs, await budgetOf(input, context));
    const tokens = costs.reduce((sum, cost) => sum + cost, 0);
    const more = by === 'model' ? { budget: Math.ceil(tokens / 500) * 500 + 500 } : { all: true };
    const next = spellCall({ ...call, input: { ...call.input, ...more } }, by);
    return {
      query,
      results: found.slice(0, kept),
      ...(kept < found.length ? { left_out: { results: found.length - kept, next } } : {}),
      ...(relaxed ? { relaxed: true as const } : {}),
      ...(relaxed || found.length >= Math.min(FEW, limit) || !/\s/.test(query.trim())
        ? {}
        : { try: [spellCall({ ...call, input: { ...call.input, any: true } }, by)] }),
    };
  },
  text({ query, results, relaxed, left_out: leftOut, try: hints = [] }, { paint }) {
    if (results.length === 0)
      return `${[`no results for ${JSON.stringify(query)}`, ...hints.map((hint) => `try: ${hint}`)].join('\n')}\n`;
    const note = relaxed ? ['no section has all the words; the closest matches:', ''] : [];
    const rest =
      leftOut === undefined
        ? []
        : [`... (${leftOut.results} more results left out; to get them: ${leftOut.next})`];
    const blocks = results.map((result) => renderResult(result, paint));
    const others = hints.map((hint) => `to include sections with only some of the words: ${hint}`);
    return `${[...note, ...blocks, ...rest, ...others].join('\n')}\n`;
  },
});

function renderResult(result: z.output<ReturnType<typeof resultShape>>, paint: Paint): string {
  const { file, section, heading, start_line, end_line, snippet, command } = result;
  const place = `${file}:${start_line}-${end_line}`;
  // Text before the first heading is named by its position.
  const title =
    section === '' ? paint.strong(place) : `${showTitle(heading ?? section, paint)}  ${paint.faint(place)}`;
  const lines = snippet === '' ? [] : [`  ${showMarks(snippet, paint)}`];
  return [title, ...lines, `  ${command}`].join('\n');
}

const MARKED = /\[MATCH\]([\s\S]*?)\[\/MATCH\]/g;

/** The title in bold; without colour, its matches are marked. */
function showTitle(text: string, paint: Paint): string {
  const plain = text.replace(MARKED, '$1');
  const painted = paint.strong(plain);
  return painted === plain ? showMarks(text, paint) : painted;
}

/** Matches in bold: escape codes on a terminal, Markdown elsewhere, which costs few tokens. */
function showMarks(text: string, paint: Paint): string {
  return text.replace(MARKED, (_, match: string) => {
    const painted = paint.strong(match);
    return painted === match ? `**${match}**` : painted;
  });
}

/** Number of results that fit, at least one. */
function countWithin(costs: readonly number[], budget: number): number {
  let left = budget;
  const end = costs.findIndex((cost) => {
    left -= cost;
    return left < 0;
  });
  return end === -1 ? costs.length : Math.max(1, end);
}

type Found = Pick<FoundSection, 'name' | 'file' | 'start_line' | 'end_line' | 'passage'> & {
  readonly skill: string;
};

/** The call that shows a result; text without a heading is opened by line numbers. */
function callFor({ skill, name, file, start_line, end_line, passage = start_line }: Found): Call {
  if (name !== undefined)
    return {
      name: 'show',
      positionals: ['skill'],
      input: { skill, section: [name.section], file: name.file },
    };
  const from = Math.max(start_line, passage - LINES_AROUND / 2);
  const lines = `${from}-${Math.min(end_line, from + LINES_AROUND)}`;
  return { name: 'open', positionals: ['skill', 'path'], input: { skill, path: file, lines } };
}

function whatToTry(skill: string, by: Actor): string[] {
  const calls = ['outline', 'sources'].map((name) =>
    spellCall({ name, positionals: ['skill'], input: { skill } }, by),
  );
  return ['fewer, shorter or other words', ...calls];
}
