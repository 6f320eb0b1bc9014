// skc find: searches all visible skills by purpose, or the network for skills to install.

import * as z from 'zod';
import { formatCount, makeVisible, oneLine, SkillwrightError } from '../../base/diagnostics/index.ts';
import { answerSearch, createHitLocator, type SkillScope, searchLimits } from '../../read/catalog/index.ts';
import { missingNotes, openCatalog, showPath } from './catalog-input.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand, linesOf } from './define-command.ts';
import { catalogFields, choice, flag, integer, own } from './fields.ts';
import {
  isUnanswered,
  Offer,
  remoteFields,
  renderOffers,
  SourceStatus,
  searchRemote,
} from './find-remote.ts';
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
  const { whole, visible, sealed } = await openCatalog(input, context);
  const seen = new Set(visible.skills.map(({ path }) => path));
  // Prepared for the whole catalog, so that a change of permissions does not discard it.
  const answer = answerSearch(whole, query, {
    limit,
    limits: searchLimits(await context.workspace.config()),
    sealed,
    accept: ({ path }) => seen.has(path),
    scope,
  });
  return { answer, catalog: visible, sealed };
}

/** Finds skills. */
export const find = defineCommand({
  fields: {
    query: { type: 'string', list: true, required: true, about: 'What the skill should do, or its name' },
    limit: integer('At most this many results', { positive: true }),
    scope: choice(['project', 'user', 'bundled'], 'Search this scope only'),
    remote: own(flag('Search the network for skills to install instead')),
    ...remoteFields,
    ...catalogFields,
  },
  positionals: ['query'],
  output: z.object({
    query: z.string(),
    results: z.array(z.union([Result, Offer])),
    count: z.number().int().describe('Results returned'),
    truncated: z.boolean().describe('Whether more skills match: raise the limit'),
    incomplete: z
      .boolean()
      .optional()
      .describe('Whether a limit stopped discovery, so that skills may be missing'),
    corrected: z
      .string()
      .optional()
      .describe('Present when no skill has the words of the query: the words searched for instead'),
    skills: z.number().int().optional().describe('Skills searched'),
    errors: z.number().int().optional().describe('Skills that cannot be read'),
    total: z.number().int().optional().describe('With --remote: results before the limit'),
    sources: z.array(SourceStatus).optional().describe('With --remote: how each source answered'),
  }),
  effect: 'read',
  writes: ['cache'],
  belongsTo: { source: ['remote'], domain: ['remote'] },
  excludes: [
    ['remote', 'scope'],
    ['remote', 'agents'],
    ['remote', 'node_modules'],
  ],
  touches: { skills: 'list' },
  about:
    'Searches names, descriptions, tags, headings and text of every skill an agent would see from here: skills of the project, your own, and bundled ones.\nWith --remote it searches the registry, GitHub, npm and the domains you name, all at once. If a place cannot be reached, the result says why. With a token in GITHUB_TOKEN or GH_TOKEN, GitHub is searched for single skills too.',
  examples: {
    'skc find release notes': 'search by purpose',
    'skc find "turn a scan into text" --scope user': 'search your own skills only',
    'skc find --remote fill pdf forms': 'search for skills to install',
    'skc find --remote payments --domain stripe.com --source well-known': 'search what one company publishes',
  },
  async run(input, context) {
    const query = input.query.join(' ').trim();
    if (query === '') throw SkillwrightError.of('E004', {});
    if (input.remote) return searchRemote(query, input, context);
    const { catalog, answer, sealed } = await search(query, input, context);
    const locate = createHitLocator(answer.corrected ?? query, sealed);
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
  text(answer, view) {
    const { query, results, skills = 0, errors = 0, truncated, incomplete: cut = false, corrected } = answer;
    const { sources, total = 0 } = answer;
    if (sources !== undefined) {
      const offers = results.filter((result) => 'from' in result);
      return renderOffers({ query, results: offers, total, sources }, view);
    }
    const { paint, columns } = view;
    const blocks = results.map((result) => {
      if (!('where' in result)) return null;
      const { name, description, scope, shown, enabled, available, where } = result;
      const marks = linesOf([scope, !enabled && 'off', !available && result.unavailable_because]).join(', ');
      const place = `${makeVisible(shown)}${where === null ? '' : `:${where.line}`}`;
      const section = where?.section === undefined ? '' : `${where.section}: `;
      const quoted = { heading: '# ', body: section }[String(where?.field)];
      return [
        `${paint.strong(oneLine(name))}  ${paint.faint(`${marks}  ${place}`)}`,
        `  ${cutToWidth(oneLine(description), columns - 2)}`,
        quoted !== undefined && `  ${paint.faint(cutToWidth(oneLine(quoted + where!.text), columns - 2))}`,
      ];
    });
    const notes = [
      corrected !== undefined &&
        `no skill contains ${JSON.stringify(query)}; searched for ${JSON.stringify(corrected)}`,
      results.length === 0 &&
        `no skill matches ${JSON.stringify(query)} (${formatCount(skills, 'skill')} searched)`,
      missingNotes({ errors, cut }),
      truncated && 'more skills match; raise --limit or add a word',
    ];
    return [blocks, linesOf(notes).map(paint.faint)];
  },
  failed: ({ sources }) => sources !== undefined && isUnanswered(sources),
});

/** `skc find --remote`, by its old name. */
export const trawl = defineCommand({
  fields: { query: find.fields.query, limit: find.fields.limit, ...remoteFields },
  positionals: ['query'],
  output: find.output,
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about: "The same as 'skc find --remote'.",
  examples: { 'skc trawl fill pdf forms': 'search everywhere' },
  run: (input, context) => find.run({ ...input, remote: true, agents: [], node_modules: false }, context),
  text: find.text,
  failed: ({ sources = [] }) => isUnanswered(sources),
});
