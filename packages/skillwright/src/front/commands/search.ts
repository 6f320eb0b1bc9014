// skc search: searches the sections of a skill.

import type * as z from 'zod';
import { type Paint, plainPaint, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Frozen } from '../../base/frozen.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { type FoundSection, searchSkill, withIndex } from '../../read/gateway/index.ts';
import type { Actor } from '../../skill/judge/index.ts';
import { defineCommand, linesOf, type View } from './define-command.ts';
import { author, budgetFields, flag, fresh, integer, skill } from './fields.ts';
import { budgetOf, gatewayOptions } from './gateway-options.ts';
import type { searchOutput } from './reading-outputs.ts';
import { type Call, spellCall } from './spell-call.ts';
import { wrapText } from './text-width.ts';

const DEFAULT_LIMIT = 10;
/** Lines offered around a match in a long text without headings. */
const LINES_AROUND = 30;

/** Finds sections of a skill. */
export const search = defineCommand({
  fields: {
    skill,
    query: { type: 'string', list: true, required: true, about: 'Words to look for, or a question' },
    limit: integer('At most this many results', { positive: true, max: 100, default: DEFAULT_LIMIT }),
    any: flag('Do not prefer sections with all words'),
    ...budgetFields,
    fresh,
    author,
  },
  positionals: ['skill', 'query'],
  output: async () => (await import('./reading-outputs.ts')).searchOutput,
  effect: 'read',
  writes: ['runtime directories', 'cache'],
  touches: { skill: 'skill', operation: 'read' },
  served: ({ results }) => ({ results: results.length }),
  incomplete: ({ skill }) =>
    typeof skill === 'string'
      ? `search looks for words inside one skill, here '${skill}'; to search all skills: skc find ${quoteWord(skill)}`
      : undefined,
  about:
    'Matching headings come first; text counts more than code, and code more than data. If fewer than three sections have all words, those with some follow, and say which are missing.',
  examples: {
    'skc search pdf-forms checkbox': 'search for a word',
    'skc search pdf-forms "how do I fill a form twice?"': 'ask a question',
  },
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
    const opened = context.skill!;
    const { readAfterSimilar } = await import('../../read/usage/read-accesses.ts');
    const used = { dir: opened.dir, runtime: await opened.runtime(), home: context.workspace.home };
    const readBefore = readAfterSimilar(used, query);
    const { results, relaxed, instead } = await withIndex(opened, options, (index) =>
      searchSkill(index, query, { limit, any, readBefore }),
    );
    if (results.length === 0) return { query, results: [], try: whatToTry(skill, by) };
    const found = results.map(({ name, level, passage, ...result }) => ({
      ...result,
      command: spellCall(callFor({ skill, name, passage, ...result }), by),
    }));
    const costs = found.map((result) =>
      estimateTokens(renderResult(result, { paint: plainPaint, columns: 80 })),
    );
    const kept = countWithin(costs, await budgetOf(input, context));
    const tokens = costs.reduce((sum, cost) => sum + cost, 0);
    const more = by === 'model' ? { budget: Math.ceil(tokens / 500) * 500 + 500 } : { all: true };
    const next = spellCall({ ...call, input: { ...call.input, ...more } }, by);
    return {
      query,
      results: found.slice(0, kept),
      ...(kept < found.length ? { left_out: { results: found.length - kept, next } } : {}),
      ...(relaxed ? { relaxed: true as const } : {}),
      ...(instead === undefined ? {} : { instead }),
    };
  },
  text({ query, results, relaxed, instead = [], left_out: leftOut, try: hints = [] }, view) {
    if (results.length === 0)
      return [`no results for ${JSON.stringify(query)}`, hints.map((hint) => `try: ${hint}`)];
    return [
      instead.map(
        ({ word, by }) =>
          `${JSON.stringify(word)} is not in this skill; searched for ${by.join(', ')} instead`,
      ),
      relaxed && 'no section has all the words; the closest matches:',
      (relaxed || instead.length > 0) && '',
      results.map((result) => renderResult(result, view)),
      leftOut && `... (${leftOut.results} more results left out; to get them: ${leftOut.next})`,
    ];
  },
});

type Shown = Frozen<z.output<typeof searchOutput>['results'][number]>;

function renderResult(
  result: Shown,
  { paint, columns, isTerminal }: Pick<View, 'paint' | 'columns' | 'isTerminal'>,
): string {
  const { file, section, heading, start_line, end_line, snippet, command } = result;
  const place = `${file}:${start_line}-${end_line}`;
  // Text before the first heading is named by its position.
  const title =
    section === '' ? paint.strong(place) : `${showTitle(heading ?? section, paint)}  ${paint.faint(place)}`;
  const about = linesOf([
    result.missing && `without: ${result.missing.join(', ')}`,
    result.read_before && 'read after a similar search',
  ]);
  const marks = about.length === 0 ? '' : `  ${paint.faint(`(${about.join('; ')})`)}`;
  const lines = wrapSnippet(snippet, isTerminal ? columns - 2 : Number.POSITIVE_INFINITY);
  return [title + marks, ...lines.map((line) => `  ${showMarks(line, paint)}`), `  ${command}`].join('\n');
}

/** The lines of a snippet. While they are wrapped, each mark is one character wide, which is narrower than its word. */
function wrapSnippet(snippet: string, columns: number): string[] {
  const short = snippet.replaceAll('[MATCH]', '\u{1}').replaceAll('[/MATCH]', '\u{2}');
  return wrapText(short, { columns, lines: Number.POSITIVE_INFINITY }).map((line) =>
    line.replaceAll('\u{1}', '[MATCH]').replaceAll('\u{2}', '[/MATCH]'),
  );
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
