// skc find: searches all visible skills by purpose.

import * as z from 'zod';
import { makeVisible, oneLine, SkillwrightError } from '../../base/diagnostics/index.ts';
import { answerSearch, createHitLocator, type SkillScope, searchLimits } from '../../read/catalog/index.ts';
import { catalogFields, openCatalog, showPath } from './catalog-input.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { cutToWidth } from './text-width.ts';

const Result = z.object({
  name: z.string(),
  description: z.string(),
  scope: z.enum(['project', 'user', 'bundled']),
  path: z.string().describe('Its SKILL.md'),
  score: z.number(),
  reason: z.enum(['exact_path', 'exact_name', 'prefix', 'token_overlap']),
  enabled: z.boolean(),
  available: z.boolean(),
  unavailable_because: z.string().optional(),
  where: z
    .object({
      field: z.enum(['name', 'description', 'tags', 'heading', 'body']),
      line: z.number().int(),
      section: z.string().optional(),
      text: z.string(),
    })
    .nullable()
    .describe('The best matching part; null when no part contains a word of the query'),
  shown: z.string().describe('Its SKILL.md as seen from here'),
});

/** The input, checked. */
type Search = Parameters<typeof openCatalog>[0] & {
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
};

/** Matching skills among those the caller may see. */
async function search(query: string, input: Search, context: CommandContext) {
  const { limit, scope } = input;
  const { whole, visible, opened } = await openCatalog(input, context);
  const seen = new Set(visible.skills.map(({ path }) => path));
  // Prepared for the whole catalog, so that a change of permissions does not discard it.
  const answer = answerSearch(whole, query, {
    ...(limit === undefined ? {} : { limit }),
    limits: searchLimits(await context.workspace.config()),
    opened,
    accept: ({ path }) => seen.has(path),
    ...(scope === undefined ? {} : { scope }),
  });
  return { answer, catalog: visible, opened };
}

/** Finds skills. */
export const find = defineCommand({
  input: z.strictObject({
    query: z.array(z.string()).min(1).describe('What the skill should do, or its name'),
    limit: z.number().int().positive().optional().describe('At most this many results'),
    scope: z.enum(['project', 'user', 'bundled']).optional().describe('Search this scope only'),
    ...catalogFields,
  }),
  positionals: ['query'],
  output: z.object({
    query: z.string(),
    results: z.array(Result),
    count: z.number().int().describe('Results returned'),
    truncated: z.boolean().describe('Whether more skills match: raise the limit'),
    incomplete: z.boolean().describe('Whether a limit stopped discovery, so that skills may be missing'),
    corrected: z
      .string()
      .optional()
      .describe('Present when no skill has the words of the query: the words searched for instead'),
    skills: z.number().int().describe('Skills searched'),
    errors: z.number().int().describe('Skills that cannot be read'),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  about:
    'Searches names, descriptions, tags, headings and text of every skill an agent would see from here: skills of the project, your own, and bundled ones.',
  examples: [
    { line: 'skc find release notes', note: 'search by purpose' },
    { line: 'skc find "turn a scan into text" --scope user', note: 'search your own skills only' },
  ],
  async run(input, context) {
    const query = input.query.join(' ').trim();
    if (query === '') throw SkillwrightError.of('E004', {});
    const { catalog, answer, opened } = await search(query, input, context);
    const locate = createHitLocator(answer.corrected ?? query, ({ dir }) => !opened.has(dir));
    return {
      query,
      ...answer,
      results: answer.results.map(({ skill, score, reason }) => ({
        name: skill.name,
        description: skill.description,
        scope: skill.scope,
        path: skill.path,
        score: Number(score.toFixed(4)),
        reason,
        enabled: skill.enabled,
        available: skill.available,
        ...(skill.reason === undefined ? {} : { unavailable_because: skill.reason }),
        where: locate(skill) ?? null,
        shown: showPath(skill.path, context.workspace),
      })),
      skills: catalog.skills.length,
      errors: catalog.errors.length,
    };
  },
  text({ query, results, skills, errors, truncated, incomplete, corrected }, { paint, columns }) {
    const blocks = results.map((result) => {
      const { name, description, scope, shown, enabled, available, where } = result;
      const marks = [scope, ...(enabled ? [] : ['off']), ...(available ? [] : [result.unavailable_because])];
      const lines = [
        `${paint.strong(oneLine(name))}  ${paint.faint(`${marks.join(', ')}  ${makeVisible(shown)}${where === null ? '' : `:${where.line}`}`)}`,
        `  ${cutToWidth(oneLine(description), columns - 2)}`,
      ];
      if (where?.field === 'heading')
        lines.push(`  ${paint.faint(cutToWidth(`# ${oneLine(where.text)}`, columns - 2))}`);
      if (where?.field === 'body') {
        const section = where.section === undefined ? '' : `${oneLine(where.section)}: `;
        lines.push(`  ${paint.faint(cutToWidth(`${section}${oneLine(where.text)}`, columns - 2))}`);
      }
      return lines.join('\n');
    });
    const searched = skills === 1 ? '1 skill' : `${skills} skills`;
    const notes = [
      ...(corrected === undefined
        ? []
        : [`no skill contains ${JSON.stringify(query)}; searched for ${JSON.stringify(corrected)}`]),
      ...(results.length === 0 ? [`no skill matches ${JSON.stringify(query)} (${searched} searched)`] : []),
      ...(errors === 0 ? [] : [`${errors} could not be read; 'skc roots' says why`]),
      ...(truncated ? ['more skills match; raise --limit or use more precise words'] : []),
      ...(incomplete ? ["the search stopped early; 'skc roots' says where"] : []),
    ];
    return `${[...blocks, ...notes.map((note) => paint.faint(note))].join('\n')}\n`;
  },
});
