// Which skill wins? Requests are judged by what a choosing model sees: the names and descriptions of all skills.

import * as z from 'zod';
import type { Access } from '../../read/access/index.ts';
import { answerSearch, loadCatalog, type SkillCatalog, type SkillRecord } from '../../read/catalog/index.ts';
import type { Located, TriggerQuery } from './eval-case.ts';
import { CHOSEN, type ChoiceRanker, createChoiceRanker } from './rank-choices.ts';

const count = z.number().int();

/** A skill that wins against the expected one, and the words that speak for it more than for the expected one. */
const Rival = z.object({
  skill: z.string(),
  score: z.number(),
  words: z.array(
    z.object({
      word: z.string(),
      field: z.enum(['name', 'description']).describe('Where the skill has it'),
    }),
  ),
});

/** Result of one request. */
export const JudgedQuery = z.object({
  query: z.string(),
  source: z.string().describe('The file of the case'),
  position: z.number().int().describe('Its place in the file, from 1'),
  should_trigger: z.boolean(),
  instead: z.string().nullable().describe('The skill that must be chosen instead'),
  proposed: z.boolean().describe('A proposal: it does not count as passed or failed'),
  held_out: z.boolean().describe('--improve does not see it'),
  passed: z.boolean(),
  chosen: z.string().nullable().describe('The skill that is chosen; null for none'),
  rank: count
    .nullable()
    .describe('Place of the skill by names and descriptions; null without a word of the request'),
  score: z.number(),
  text_rank: count
    .nullable()
    .describe('Place when the whole texts are searched, too; null when it is not among the first'),
  rivals: z
    .array(Rival)
    .describe('Skills that won instead; for a request that should not trigger, the skill itself'),
  why: z.string().describe('Why it failed'),
});
export type JudgedQuery = z.output<typeof JudgedQuery>;

const LIMIT = 10;
const MAX_RIVALS = 3;
const MAX_WORDS = 5;

/** Judges requests among the skills of a catalog. */
export interface QueryJudge {
  /** Judges the requests of one skill. */
  judge(own: SkillRecord, queries: readonly Located<TriggerQuery>[]): JudgedQuery[];
  /** Whether each passes; the texts of the skills are not searched. */
  passes(own: SkillRecord, queries: readonly Located<TriggerQuery>[]): boolean[];
  /** The same with another description of it. */
  describedAs(own: SkillRecord, description: string): QueryJudge;
}

/** Skills that compete for a request, and which of them an agent may choose. */
export interface Rivals {
  readonly catalog: SkillCatalog;
  readonly accept: (skill: SkillRecord) => boolean;
}

/** The judge of these skills. */
export function createQueryJudge({ catalog, accept }: Rivals): QueryJudge {
  const judgeOf = ({ rank, describedAs }: ChoiceRanker<SkillRecord>): QueryJudge => {
    const placeIn = (query: string, own: SkillRecord) =>
      answerSearch(catalog, query, { limit: LIMIT, accept }).results.findIndex(({ skill }) => skill === own);
    return {
      judge: (own, queries) =>
        queries.map((wanted) => {
          const place = placeIn(wanted.query, own);
          return { ...judgeQuery(own.name, wanted, rank), text_rank: place === -1 ? null : place + 1 };
        }),
      passes: (own, queries) => queries.map((wanted) => judgeQuery(own.name, wanted, rank).passed),
      describedAs: (own, description) => judgeOf(describedAs(own, description)),
    };
  };
  return judgeOf(createChoiceRanker(catalog.skills.filter(accept)));
}

/** A request has one winner: the best skill, if the words for it are enough. That decides for every case. */
function judgeQuery(
  name: string,
  {
    query,
    source,
    position,
    should_trigger,
    proposed = false,
    isHeldOut = false,
    skill,
  }: Located<TriggerQuery>,
  rank: ChoiceRanker<SkillRecord>['rank'],
): Omit<JudgedQuery, 'text_rank'> {
  const ranked = rank(query);
  const own = ranked.find((one) => one.skill.name === name);
  const above = ranked.filter(({ score }) => score > (own?.score ?? 0));
  const place = own === undefined ? null : above.length + 1;
  const isChosen = place === 1 && own!.score >= CHOSEN;
  const [first] = ranked;
  const chosen = isChosen ? name : first !== undefined && first.score >= CHOSEN ? first.skill.name : null;
  const passed = should_trigger ? isChosen : skill === undefined ? !isChosen : chosen === skill;
  const facts = {
    query,
    source,
    position,
    should_trigger,
    instead: skill ?? null,
    proposed,
    held_out: isHeldOut,
    passed,
    chosen,
    rank: place,
    score: round(own?.score ?? 0),
  };
  if (passed) return { ...facts, rivals: [], why: '' };
  const weaker = new Map(
    (should_trigger ? (own?.words ?? []) : []).map(({ word, evidence }) => [word, evidence]),
  );
  const winners = should_trigger ? above.filter(({ score }) => score >= CHOSEN) : isChosen ? [own!] : [];
  const rivals = winners.slice(0, MAX_RIVALS).map((one) => ({
    skill: one.skill.name,
    score: round(one.score),
    words: one.words
      .filter(({ word, evidence }) => evidence > (weaker.get(word) ?? 0))
      .slice(0, MAX_WORDS)
      .map(({ word, field }) => ({ word, field })),
  }));
  return { ...facts, rivals, why: whyFailed(name, { ...facts, skill, rivals }) };
}

function whyFailed(
  name: string,
  {
    should_trigger: isWanted,
    chosen,
    rank,
    skill,
    rivals,
  }: Pick<JudgedQuery, 'should_trigger' | 'chosen' | 'rank' | 'rivals'> & {
    readonly skill: string | undefined;
  },
): string {
  const [winner] = rivals;
  const words = (winner?.words ?? []).map(({ word, field }) => `'${word}' (${field})`);
  const why = words.length === 0 ? '' : ` because of ${words.join(', ')}`;
  if (!isWanted && chosen === name) return `${name} is chosen${why}`;
  if (!isWanted) return `${chosen ?? 'no skill'} wins, not ${skill}`;
  if (rank === null && winner === undefined)
    return `no word of the request is in the name or description of ${name}`;
  if (winner === undefined) return `too few words of the request are in the name and description of ${name}`;
  const where =
    rank === null ? `the description of ${name} has no word of the request` : `${name} has rank ${rank}`;
  return `${winner.skill} wins${why}; ${where}`;
}

const round = (score: number): number => Number(score.toFixed(4));

/** Loads the skills visible from the workspace, and those below some directories. A tested skill outside every root competes, too. */
export async function loadRivals(dirs: readonly string[], access: Access): Promise<Rivals> {
  const catalog = await loadCatalog(access.workspace, {
    roots: dirs.map((path) => ({ path, scope: 'project' as const })),
    cache: false,
  });
  const { visible } = await access.view(catalog);
  return { catalog, accept: acceptVisible(visible) };
}

/** Accepts skills that an agent can choose. */
export function acceptVisible({ skills }: SkillCatalog): (skill: SkillRecord) => boolean {
  const seen = new Set(skills);
  return (skill) => seen.has(skill) && skill.enabled && skill.available;
}
