// The skills of a session: the list for a prompt, searches, skills a message names or suggests, and a report.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { isCommonTerm, stopWords } from '../../base/words/index.ts';
import {
  type answerSearch,
  catalogRenderers,
  fitCatalog,
  type SkillRecord,
  type SkillSearchResult,
  searchLimits,
} from '../../read/catalog/index.ts';
import type { TriggerMatch, TriggerReason } from '../answers/index.ts';
import { findMentions } from './find-mentions.ts';
import { createTriggerMatcher, type TriggerMatcher, termsOf } from './match-triggers.ts';
import type { SessionMethods } from './session.ts';
import { accessTo, type SessionState, viewOf } from './session-state.ts';
import { wireSkill } from './wire-skill.ts';

/** Longest part of a message that is examined, and most skills suggested. */
const MAX_MESSAGE = 64 * 1024;
const MAX_SUGGESTIONS = 20;

export const listCatalog: SessionMethods['catalog'] = async (state, { reload = false } = {}) => {
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
};

export const renderPrompt: SessionMethods['prompt'] = async (state, { renderer: wanted, budgets } = {}) => {
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
};

export const searchCatalog: SessionMethods['search'] = async (state, { query, limit, scope }) => {
  if (query.trim() === '') throw SkillwrightError.of('E004', {});
  const place = scope === 'repo' ? 'project' : scope;
  return find(state, query, { limit, limits: searchLimits(state.settings.config), scope: place });
};

/** Searches the skills the model may see. */
async function find(state: SessionState, query: string, how: Parameters<typeof answerSearch>[2]) {
  const { answerSearch } = await import('../../read/catalog/answer-search.ts');
  // Search the whole catalog, so that the prepared index survives a change of visibility.
  const whole = await state.catalog();
  const { visiblePaths } = state.viewOf(whole);
  const sealed = await (await accessTo(state)).sealed(whole.skills);
  return answerSearch(whole, query, { ...how, sealed, accept: ({ path }) => visiblePaths.has(path) });
}

export const findMentioned: SessionMethods['mentions'] = async (state, text) => {
  const { cwd, home, policy } = state.options;
  const access = await accessTo(state);
  const hidden = await access.hides({ operation: 'invoke', by: 'user' });
  return findMentions(text, { catalog: await access.catalog(), cwd, home, policy, hidden });
};

export const suggestFor: SessionMethods['triggers'] = async (state, text) => {
  const { skills } = (await viewOf(state)).visible;
  const message = text.slice(0, MAX_MESSAGE);
  const { results: found } = await find(state, message, { limit: MAX_SUGGESTIONS });
  return suggestSkills(message, { matcher: await matcherOf(state, skills), found });
};

/** The matcher for a list of skills, kept while the list stays the same. */
async function matcherOf(
  state: SessionState,
  skills: Parameters<typeof createTriggerMatcher>[0],
): Promise<TriggerMatcher> {
  if (state.triggers?.skills !== skills)
    state.triggers = { skills, matcher: await createTriggerMatcher(skills) };
  return state.triggers.matcher;
}

/** The state of the session in wire names; with `include_skills` it lists visible and hidden skills. */
export const inspectSession: SessionMethods['inspect'] = async (state, { include_skills = false } = {}) => {
  const { visible, hidden, catalog } = await viewOf(state);
  const { shown, bytes, tokens, shortened, missing } = await renderPrompt(state);
  const { budget } = state.settings;
  const skills = {
    skills: visible.skills.map(wireSkill),
    hidden: hidden.map(({ skill: { path, name }, reason }) => ({ path, name, reason })),
    errors: catalog.errors,
    truncated: catalog.truncated,
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
