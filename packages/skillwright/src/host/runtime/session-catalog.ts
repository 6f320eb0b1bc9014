// The skills of a session: the list for a prompt, searches, skills a message names or suggests, and a report.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { isCommonTerm, stopWords } from '../../base/words/index.ts';
import {
  type answerSearch,
  type CatalogFormat,
  catalogRenderers,
  type FittedCatalog,
  fitCatalog,
  oneLine,
  type SkillRecord,
  type SkillScope,
  type SkillSearchAnswer,
  type SkillSearchResult,
  searchLimits,
  visibleJson,
} from '../../read/catalog/index.ts';
import { shorten } from '../../skill/format/index.ts';
import {
  Mention,
  type SessionReport,
  SkillMetadata,
  TriggerMatch,
  type TriggerReason,
  WireScope,
} from '../answers/index.ts';
import { findMentions } from './find-mentions.ts';
import { createTriggerMatcher, type TriggerMatcher, termsOf } from './match-triggers.ts';
import type { SessionCatalog, SessionOptions } from './session.ts';
import { listsSkills, method, type Notes } from './session-method.ts';
import { accessTo, type SessionState, viewOf } from './session-state.ts';
import { wireSkill } from './wire-skill.ts';

/** Longest part of a message that is examined, and most skills suggested. */
const MAX_MESSAGE = 64 * 1024;
const MAX_SUGGESTIONS = 20;
/** Longest description in a search result of a model, in characters. */
const MAX_DESCRIPTION = 400;

const formats = Object.keys(catalogRenderers) as [CatalogFormat, ...CatalogFormat[]];

export const catalog = {
  async run(
    state: SessionState,
    { reload = false }: { readonly reload?: boolean | undefined } = {},
  ): Promise<SessionCatalog> {
    if (reload) await state.reload();
    const { visible, hidden, catalog: whole } = await viewOf(state);
    const { errors, truncated, diagnostics } = whole;
    const { settings, confirmations } = state;
    // A remark about a hidden skill would name it.
    const hiddenPaths = new Set<unknown>(hidden.map(({ skill }) => skill.path));
    const shown = diagnostics.filter(({ data }) => !hiddenPaths.has(data?.path));
    return {
      skills: visible.skills,
      hidden,
      errors,
      truncated,
      diagnostics: [...settings.diagnostics, ...shown, ...confirmations.diagnostics],
    };
  },
};

export const prompt = method({
  rpc: 'context.prompt',
  summary: 'Get the list of skills for the system prompt',
  input: z.strictObject({
    renderer: z.enum(formats).default('available-skills').describe('Format of the list'),
    budgets: z
      .strictObject({
        entries: z.int().nonnegative().optional(),
        bytes: z.int().nonnegative().optional(),
        tokens: z.int().nonnegative().optional(),
      })
      .default({})
      .describe('Upper limits of the list; the configuration sets those you leave out'),
  }),
  output: z.strictObject({
    text: z.string().describe('Text for the system prompt; empty when there are no skills'),
    shown: z.int().describe('Skills in the text'),
    shortened: z.int().describe('Skills with a shortened description'),
    missing: z.int().describe('Skills that do not fit; the text says how to find them'),
    incomplete: z
      .boolean()
      .describe('Whether a limit cut discovery short, so that a search cannot find the rest'),
    bytes: z.int(),
    tokens: z.int().describe('Estimated tokens'),
  }),
  ...listsSkills,
  writes: ['cache'],
  wire: (how, run) => run(how),
  recorded: {
    do: 'prompt',
    step: (_notes, { renderer, budgets } = {}) => ({
      renderer: typeof renderer === 'string' ? renderer : undefined,
      budgets,
    }),
    async got({ text, shown, missing }, notes) {
      const skills = await notes.visible();
      const listed = skills.map(({ name }) => name).toSorted(compareBytes);
      return { skills: listed, shown, missing, ...notes.weigh(text, skills) };
    },
    repeat: ({ renderer, budgets }, run) => run({ renderer, budgets }),
  },
  async run(
    state: SessionState,
    { renderer: wanted, budgets }: Pick<SessionOptions, 'renderer' | 'budgets'> = {},
  ): Promise<FittedCatalog> {
    const { estimateTokens, searchHint, renderer: usual = 'available-skills' } = state.options;
    const renderer = wanted ?? usual;
    const { visible } = await viewOf(state);
    const { entries, bytes, tokens } = state.settings.budget;
    return fitCatalog(visible.skills, {
      render: typeof renderer === 'function' ? renderer : catalogRenderers[renderer],
      budget: {
        entries: budgets?.entries ?? entries,
        bytes: budgets?.bytes ?? bytes,
        tokens: budgets?.tokens ?? tokens,
      },
      incomplete: visible.truncated,
      estimateTokens,
      hint: searchHint,
    });
  },
});

const searchInput = z.strictObject({
  query: z.string().describe('A few words about the task, or a skill name'),
  limit: z
    .int()
    .positive()
    .optional()
    .describe('Maximum number of results; the configuration sets the default and the upper limit'),
  scope: WireScope.optional().describe(
    'Search only project skills (repo), user skills (user) or bundled skills',
  ),
});

export const search = method({
  rpc: 'skills.search',
  summary: 'Find skills by purpose',
  input: searchInput,
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        skill: SkillMetadata,
        score: z.number(),
        reason: z.enum(['exact_name', 'exact_path', 'prefix', 'token_overlap']),
      }),
    ),
    count: z.int().describe('Number of results returned'),
    truncated: z.boolean().describe('Whether more skills match'),
    incomplete: z.boolean().describe('Whether a limit cut discovery short, so that skills may be missing'),
    corrected: z
      .string()
      .optional()
      .describe('The query that was searched instead, when no skill contains the words of yours'),
  }),
  ...listsSkills,
  writes: ['cache'],
  async wire(query, run) {
    const answer = await run(query);
    const results = answer.results.map(({ skill, ...hit }) => ({ ...hit, skill: wireSkill(skill) }));
    return { ...answer, results };
  },
  recorded: {
    do: 'search',
    step: (_notes, { query, limit, scope }) => ({ query, limit, scope }),
    got: ({ results }) => ({ found: results.map(({ skill }) => skill.name) }),
    repeat: ({ query, limit, scope }, run) => run({ query, limit, scope }),
  },
  tool: {
    name: 'skill_search',
    description:
      'Search all skills for a task, including those left out of your skill list. A skill is a set of instructions for one kind of task.',
    async answer(query, run) {
      const answer = await run(query);
      const results = answer.results.map(({ skill, score, reason }) => {
        const { name, description, path, scope } = wireSkill(skill);
        return {
          name: oneLine(name),
          description: shorten(oneLine(description), MAX_DESCRIPTION),
          ...{ path, scope, reason, score: Number(score.toFixed(4)) },
        };
      });
      return visibleJson({ ...answer, results });
    },
  },
  async run(
    state: SessionState,
    {
      query,
      limit,
      scope,
    }: Omit<z.output<typeof searchInput>, 'scope'> & { readonly scope?: SkillScope | 'repo' | undefined },
  ): Promise<SkillSearchAnswer> {
    if (query.trim() === '') throw SkillwrightError.of('E004', {});
    const place = scope === 'repo' ? 'project' : scope;
    return find(state, query, { limit, limits: searchLimits(state.settings.config), scope: place });
  },
});

/** Searches the skills the model may see. */
async function find(state: SessionState, query: string, how: Parameters<typeof answerSearch>[2]) {
  const { answerSearch } = await import('../../read/catalog/answer-search.ts');
  // Search the whole catalog, so that the prepared index survives a change of visibility.
  const whole = await state.catalog();
  const { visiblePaths } = state.viewOf(whole);
  const sealed = await (await accessTo(state)).sealed(whole.skills);
  return answerSearch(whole, query, { ...how, sealed, accept: ({ path }) => visiblePaths.has(path) });
}

/** A user's message. Longer ones are refused rather than examined in part. */
const messageInput = z.strictObject({ text: z.string().max(1024 * 1024) });

/** Both questions about a message are one step of a recording. */
const recordedMessage = {
  do: 'message',
  step: (_notes: Notes, text: string) => ({ text }),
  got: (_result: unknown, notes: Notes, text: string) => notes.message(text),
  repeat: <Result>({ text }: { readonly text: string }, run: (text: string) => Result) => run(text),
} as const;

export const mentions = method({
  rpc: 'skills.mentions',
  summary: 'Find the skills a user message names, as $name, as a link or by path',
  input: messageInput,
  output: z.strictObject({ mentions: z.array(Mention) }),
  ...listsSkills,
  wire: async ({ text }, run) => ({
    mentions: (await run(text)).map((found) => ({ ...found, skill: found.skill && wireSkill(found.skill) })),
  }),
  recorded: recordedMessage,
  async run(state: SessionState, text: string): Promise<Mention[]> {
    const { cwd, home, policy } = state.options;
    const access = await accessTo(state);
    const hidden = await access.hides({ operation: 'invoke', by: 'user' });
    return findMentions(text, { catalog: await access.catalog(), cwd, home, policy, hidden });
  },
});

export const triggers = method({
  rpc: 'skills.triggers',
  summary: 'Suggest skills for a message by their triggers and purpose',
  input: messageInput,
  output: z.strictObject({ matches: z.array(TriggerMatch) }),
  ...listsSkills,
  wire: async ({ text }, run) => ({
    matches: (await run(text)).map((match) => ({ ...match, skill: wireSkill(match.skill) })),
  }),
  recorded: recordedMessage,
  async run(state: SessionState, text: string): Promise<TriggerMatch[]> {
    const { skills } = (await viewOf(state)).visible;
    const message = text.slice(0, MAX_MESSAGE);
    const { results: found } = await find(state, message, { limit: MAX_SUGGESTIONS });
    return suggestSkills(message, { matcher: await matcherOf(state, skills), found });
  },
});

/** The matcher for a list of skills, kept while the list stays the same. */
async function matcherOf(
  state: SessionState,
  skills: Parameters<typeof createTriggerMatcher>[0],
): Promise<TriggerMatcher> {
  if (state.triggers?.skills !== skills)
    state.triggers = { skills, matcher: await createTriggerMatcher(skills) };
  return state.triggers.matcher;
}

export const inspect = {
  async run(
    state: SessionState,
    { include_skills = false }: { readonly include_skills?: boolean } = {},
  ): Promise<SessionReport> {
    const { visible, hidden, catalog: whole } = await viewOf(state);
    const { shown, bytes, tokens, shortened, missing } = await prompt.run(state);
    const { budget } = state.settings;
    const skills = {
      skills: visible.skills.map(wireSkill),
      hidden: hidden.map(({ skill: { path, name }, reason }) => ({ path, name, reason })),
      errors: whole.errors,
      truncated: whole.truncated,
    };
    return {
      session_id: state.id,
      cwd: state.options.cwd,
      trusted: state.options.trust ?? false,
      loaded_versions: [...state.loaded.values()],
      budget: {
        entries: { used: shown, limit: budget.entries },
        bytes: { used: bytes, limit: budget.bytes },
        tokens: { used: tokens, limit: budget.tokens ?? null },
        shortened,
        missing,
      },
      ...(include_skills ? { skills } : {}),
    };
  },
};

/** Inputs of the suggestions. */
interface Suggestible {
  /** Triggers of the skills the model may see. */
  readonly matcher: TriggerMatcher;
  /** Results of a search for the message among those skills. */
  readonly found: readonly SkillSearchResult[];
}

/** Shared words count less than a trigger the author chose. */
const SEARCH_WEIGHT = 0.5;
/** Minimum number of shared words, unless one is in the skill's name. */
const LEAST_WORDS = 2;
const MAX_REASONS = 5;

/** The suggestions, best first. */
function suggestSkills(text: string, { matcher, found }: Suggestible): TriggerMatch[] {
  const suggestions = new Map(matcher.match(text).map((match) => [match.skill.path, match] as const));
  const asked = tellingWords(text);
  for (const { skill, score } of found) {
    const reasons = reasonsFor(skill, asked);
    if (reasons.length === 0) continue;
    const before = suggestions.get(skill.path);
    const sum = 1 - (1 - (before?.score ?? 0)) * (1 - SEARCH_WEIGHT * Math.min(1, score));
    suggestions.set(skill.path, {
      skill,
      score: Math.round(sum * 1000) / 1000,
      reasons: [...(before?.reasons ?? []), ...reasons],
    });
  }
  return [...suggestions.values()].sort(
    (a, b) => b.score - a.score || compareBytes(a.skill.path, b.skill.path),
  );
}

/** Words of a message that also occur in the name or description; none when they are too few to be significant. */
function reasonsFor({ name, description }: SkillRecord, asked: ReadonlyMap<string, string>): TriggerReason[] {
  const inName = tellingWords(name);
  const known = new Map([...inName, ...tellingWords(description)]);
  const shared = [...asked].filter(([term]) => known.has(term));
  if (shared.length < LEAST_WORDS && !shared.some(([term]) => inName.has(term))) return [];
  return shared
    .slice(0, MAX_REASONS)
    .map(([term, matched]) => ({ kind: 'description', value: known.get(term)!, matched }));
}

/** Words of a text as written, by their stem, without stop words. */
function tellingWords(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { term, start, end } of termsOf(text))
    if (!words.has(term) && !stopWords.has(term) && !isCommonTerm(term))
      words.set(term, text.slice(start, end));
  return words;
}
