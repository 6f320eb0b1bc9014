// Which skill wins? Requests are searched as an agent would, among all skills it sees.

import type { Access } from '../../read/access/index.ts';
import {
  answerSearch,
  createHitLocator,
  explainMatch,
  loadCatalog,
  type SkillCatalog,
  type SkillRecord,
} from '../../read/catalog/index.ts';
import type { Located, TriggerQuery } from './eval-case.ts';

/** A skill that ranks above the expected one, and the words that speak for it more than for the expected one. */
interface Rival {
  readonly skill: string;
  readonly score: number;
  readonly words: RivalWord[];
}

/** A word that helps a skill, and where the skill has it. */
interface RivalWord {
  readonly word: string;
  readonly field: 'name' | 'description' | 'tags' | 'heading' | 'body' | null;
}

/** Result of one request. */
export interface JudgedQuery {
  readonly query: string;
  readonly source: string;
  readonly position: number;
  readonly should_trigger: boolean;
  readonly proposed: boolean;
  readonly passed: boolean;
  /** Place of the expected skill in the results; null when it is not among the first. */
  readonly rank: number | null;
  readonly score: number;
  /** Skills that won instead; for a request that should not trigger, the skill itself. */
  readonly rivals: Rival[];
  readonly why: string;
}

/** Options of a judgement. */
interface JudgeQueriesOptions {
  readonly catalog: SkillCatalog;
  /** Skills an agent may choose. */
  readonly accept: (skill: SkillRecord) => boolean;
  readonly sealed?: ReadonlySet<string> | undefined;
}

const LIMIT = 10;
const MAX_RIVALS = 3;
const MAX_WORDS = 5;
/**
 * A request that should not trigger fails only on a clear match: half of the evidence its words could give. A weaker first
 * place says that nothing else came closer.
 */
const CLEAR = 0.5;

/** Judges the requests of one skill. */
export function judgeQueries(
  own: SkillRecord,
  queries: readonly Located<TriggerQuery>[],
  options: JudgeQueriesOptions,
): JudgedQuery[] {
  return queries.map((wanted) => judgeQuery(own, wanted, options));
}

function judgeQuery(
  own: SkillRecord,
  wanted: Located<TriggerQuery>,
  { catalog, accept, sealed }: JudgeQueriesOptions,
): JudgedQuery {
  const { query, should_trigger, source, position } = wanted;
  const { results, corrected = query } = answerSearch(catalog, query, {
    limit: LIMIT,
    accept,
    ...(sealed ? { sealed } : {}),
  });
  const isExpected = ({ skill }: { readonly skill: SkillRecord }) =>
    should_trigger ? skill === own : wanted.skill !== undefined && skill.name === wanted.skill;
  const first = results[0];
  const place = results.findIndex(({ skill }) => skill === own);
  const score = results[place]?.score ?? 0;
  const facts = {
    query,
    source,
    position,
    should_trigger,
    proposed: wanted.proposed === true,
    rank: place === -1 ? null : place + 1,
    score: round(score),
  };
  const explain = (skill: SkillRecord, against?: SkillRecord): RivalWord[] => {
    const weaker = new Map(
      against === undefined
        ? []
        : explainMatch(catalog, corrected, { skill: against, sealed }).map(({ word, evidence }) => [
            word,
            evidence,
          ]),
    );
    return explainMatch(catalog, corrected, { skill, sealed })
      .filter(({ word, evidence }) => evidence > (weaker.get(word) ?? 0))
      .slice(0, MAX_WORDS)
      .map(({ word }) => ({
        word,
        field: createHitLocator(word, sealed)(skill)?.field ?? null,
      }));
  };
  if (should_trigger) {
    if (place === 0) return { ...facts, passed: true, rivals: [], why: '' };
    const rivals = results.slice(0, place === -1 ? MAX_RIVALS : Math.min(place, MAX_RIVALS)).map((rival) => ({
      skill: rival.skill.name,
      score: round(rival.score),
      words: explain(rival.skill, own),
    }));
    return { ...facts, passed: false, rivals, why: whyLost(own, rivals, facts.rank) };
  }
  if (wanted.skill !== undefined && first !== undefined && isExpected(first))
    return { ...facts, passed: true, rivals: [], why: '' };
  if (wanted.skill === undefined && (place !== 0 || score < CLEAR))
    return { ...facts, passed: true, rivals: [], why: '' };
  if (wanted.skill !== undefined && place !== 0) {
    const winner = first?.skill.name ?? 'no skill';
    return { ...facts, passed: false, rivals: [], why: `${winner} wins, not ${wanted.skill}` };
  }
  const words = explain(own);
  const named = words.map(({ word }) => `'${word}'`).join(', ');
  return {
    ...facts,
    passed: false,
    rivals: [{ skill: own.name, score: facts.score, words }],
    why: `${own.name} is chosen because of ${named}`,
  };
}

function whyLost(own: SkillRecord, rivals: readonly Rival[], rank: number | null): string {
  const [winner] = rivals;
  if (winner === undefined) return `no word of the request occurs in ${own.name}`;
  const where = rank === null ? `${own.name} is not among the first ${LIMIT}` : `${own.name} ranked ${rank}`;
  const words = winner.words.map(({ word, field }) => `'${word}'${field === null ? '' : ` (${field})`}`);
  return `${winner.skill} wins${words.length === 0 ? '' : ` by ${words.join(', ')}`}; ${where}`;
}

const round = (score: number): number => Number(score.toFixed(4));

/** Skills that compete for a request, and which of them an agent may choose. */
export interface Rivals {
  readonly catalog: SkillCatalog;
  readonly accept: (skill: SkillRecord) => boolean;
}

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
