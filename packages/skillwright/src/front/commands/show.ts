// skc show: prints one or more sections.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { type ShownSection, showSection, withIndex, withMore } from '../../read/gateway/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author, fresh, integer, skill, text } from './fields.ts';
import { gatewayOptions } from './gateway-options.ts';
import { linesServed, PAGE, pageLines } from './page-lines.ts';
import { spellCall } from './spell-call.ts';

/** Prints sections of a skill by their headings. */
export const show = defineCommand({
  fields: {
    skill,
    section: {
      type: 'string',
      list: true,
      required: true,
      about: 'A heading, an #anchor, or a file without headings',
    },
    file: text('Only in this file'),
    max_lines: integer('At most this many lines of each section', { positive: true }),
    fresh,
    author,
  },
  positionals: ['skill'],
  aliases: { path: 'file', heading: 'section' },
  output: async () => (await import('./reading-outputs.ts')).showOutput,
  effect: 'read',
  writes: ['runtime directories', 'cache'],
  touches: { skill: 'skill', operation: 'read' },
  served: ({ sections }) => ({
    parts: sections.map(({ file, section, anchor, start_line, content }) => ({
      ...{ file, section, anchor },
      lines: linesServed(content, start_line),
    })),
  }),
  about:
    'Matching ignores case. You can paste a line from a stub or an outline; a file or #anchor after ` — ` picks one of several matches.',
  examples: {
    'skc show pdf-forms --section "Getting started"': 'print one section',
    'skc show pdf-forms -s "#getting-started" -s Limits': 'print two, one by its anchor',
  },
  async run(input, context) {
    const { skill, section: queries, file, max_lines } = input;
    const call = {
      name: 'show',
      positionals: ['skill'],
      input: { skill, section: queries, file, max_lines },
    };
    const options = await gatewayOptions(input, context, call);
    const shown = await withIndex(context.skill!, options, (opened) =>
      queries.map((section) => showSection(opened, { section, file, maxLines: max_lines })),
    );
    const fit = await fitSections(context, { skill, max_lines });
    const sections = shown.map(({ section: whole, candidates, total }, place) => {
      const section = fit(whole);
      if (candidates.length === 0) return section;
      const named = candidates.map(({ file, section, start_line, name }) => {
        const one = { skill, section: [name.section], file: name.file, max_lines };
        return { file, section, start_line, command: spellCall({ ...call, input: one }, context.by) };
      });
      context.report(severalMatches(queries[place]!, named, total));
      return { ...section, candidates: named };
    });
    return { skill, sections };
  },
  text: ({ sections }) =>
    sections
      .map(
        ({ content, more_lines, next }) =>
          `${withMore(endLine(content), more_lines)}${next === undefined ? '' : `next: ${next}\n`}`,
      )
      .join('\n'),
});

/** All sections of one call share one page for a model; at least the beginning of each is shown. */
async function fitSections(
  { by, skill: opened, workspace }: CommandContext,
  { skill, max_lines }: { skill: string; max_lines: number | undefined },
): Promise<(section: ShownSection) => ShownSection & { next?: string }> {
  if (by !== 'model' || max_lines !== undefined) return (section) => section;
  let left = (await workspace.config()).gateway.budget * PAGE;
  return (section) => {
    const { content: whole, file: path, start_line: from } = section;
    const text = { content: whole, from, skill, dir: opened!.dir, path, by };
    const { content, more, next } = pageLines(text, Math.max(left, LEAST));
    left -= estimateTokens(content);
    return { ...section, content, more_lines: more, ...(next === undefined ? {} : { next }) };
  };
}

/** Tokens shown of a section even when the page is full. */
const LEAST = 50;

/** W001: a fixed first line, then the candidates. */
function severalMatches(
  query: string,
  candidates: readonly { file: string; start_line: number; command: string }[],
  total: number,
): Diagnostic {
  const lines = candidates.map(({ file, start_line, command }) => `  ${file}:${start_line}  ${command}`);
  const more = total - candidates.length;
  const detail = [...lines, ...(more > 0 ? [`  ... (${more} more)`] : [])].join('\n');
  return diagnose('W001', { heading: query.trim() }, { detail, data: { candidates } });
}

const endLine = (text: string) => (/[\r\n]$/.test(text) ? text : `${text}\n`);
