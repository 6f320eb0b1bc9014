// Ranks the skills a caller may see by a query: exact name, prefix of the name, then the words of the skills, scored as
// `skc find` scores them. Reads at most the best skills of each of the rarest words, so the cost is bounded.

import {
  chooseWords,
  createWordScorer,
  type Postings,
  pairsOf,
  type QueryWord,
  readQueryWords,
} from 'skillwright/read';
import type { SearchHit, SearchQuery } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import type { Registry } from '../registry.ts';
import { filterSkills } from './filter-skills.ts';
import type { RankedPlace } from './search-cursor.ts';
import { scopesOf, wordStatistics } from './word-statistics.ts';

/** Words of a query that count, the rarest. */
const MAX_WORDS = 10;
/** Words of a query that are looked at. */
const MAX_READ_WORDS = 64;
/** Skills read for one word, the ones it says most about. */
const MAX_SKILLS_PER_WORD = 100;
/** Skills found by name. */
const MAX_NAMED = 50;

/** A skill with its score. */
export interface RankedSkill {
  readonly id: number;
  readonly score: number;
  readonly reason: SearchHit['reason'];
}

/** All skills found, in no order, and the numbers their scores depend on. */
export interface Ranking {
  readonly skills: readonly RankedSkill[];
  /** True when a limit left skills out. */
  readonly isCut: boolean;
  readonly basis: Omit<RankedPlace, 'score' | 'id'>;
}

/** Ranks skills; `before` holds the numbers of an earlier page. */
export async function rankSkills(
  registry: Registry,
  caller: Caller,
  { query, before }: { readonly query: SearchQuery; readonly before: RankedPlace | undefined },
): Promise<Ranking> {
  const scopes = scopesOf(caller);
  const statistics = wordStatistics(registry, scopes);
  const all = readQueryWords(query.q).slice(0, MAX_READ_WORDS);
  const chosen = before === undefined ? await choose(all, statistics) : pick(all, before.words);
  const terms = [
    ...new Set(chosen.flatMap(({ hash, beginning }) => (beginning === 0 ? [hash] : [hash, beginning]))),
    ...new Set(pairsOf(chosen)),
  ];
  const { lists, named } = await readLists(registry, terms, { query, scopes });
  const isCut = lists.some((list) => sizeOf(list) === MAX_SKILLS_PER_WORD);
  const basis = {
    words: chosen.map((word) => all.indexOf(word)),
    ...(before === undefined
      ? await count(terms, lists, statistics)
      : { skills: before.skills, frequencies: before.frequencies }),
  };
  const skills: RankedSkill[] = [];
  const byName = new Set<number>();
  for (const [id, name] of named) {
    byName.add(id);
    skills.push({ id, ...judgeName(name, query.q) });
  }
  for (const [id, value] of score(chosen, { terms, lists, basis }))
    if (value > 0 && !byName.has(id)) skills.push({ id, score: value, reason: 'text' });
  return { skills, isCut, basis };
}

/** The first of some skills, best first. Most candidates are never shown, so they are not sorted. */
export function bestOf(skills: readonly RankedSkill[], count: number): RankedSkill[] {
  if (skills.length <= 4 * count) return skills.toSorted(compareRanked).slice(0, count);
  let best: RankedSkill[] = [];
  let worst: RankedSkill | undefined;
  for (const skill of skills) {
    if (worst !== undefined && compareRanked(skill, worst) > 0) continue;
    best.push(skill);
    if (best.length < 4 * count) continue;
    best = best.sort(compareRanked).slice(0, count);
    worst = best.at(-1);
  }
  return best.sort(compareRanked).slice(0, count);
}

/** Best first; equal scores by id. */
export function compareRanked(
  a: Pick<RankedSkill, 'score' | 'id'>,
  b: Pick<RankedSkill, 'score' | 'id'>,
): number {
  return b.score - a.score || a.id - b.id;
}

type Statistics = ReturnType<typeof wordStatistics>;

async function choose(words: readonly QueryWord[], statistics: Statistics): Promise<readonly QueryWord[]> {
  if (words.length <= MAX_WORDS) return words;
  const known = await statistics.frequencies(words.map(({ hash }) => hash));
  return chooseWords(words, MAX_WORDS, ({ hash }) => known.get(hash) ?? 0);
}

const pick = (words: readonly QueryWord[], places: readonly number[]) =>
  places.flatMap((place) => words[place] ?? []);

/** The number of skills, and how many of them have each term: exact unless its list was cut. */
async function count(
  terms: readonly number[],
  lists: readonly Posting[],
  statistics: Statistics,
): Promise<Pick<RankedPlace, 'skills' | 'frequencies'>> {
  const cut = terms.filter((_, place) => sizeOf(lists[place]!) === MAX_SKILLS_PER_WORD);
  const [known, skills] = await Promise.all([statistics.frequencies(cut), statistics.skills()]);
  const frequencies = terms.map((term, place) => Math.max(known.get(term) ?? 0, sizeOf(lists[place]!)));
  return { skills: Math.max(skills, ...frequencies), frequencies };
}

/** The best skills of one term: ids and weights in pairs. */
type Posting = readonly number[];

const sizeOf = (list: Posting) => list.length / 2;

/** The best skills of each term, and skills whose name begins with the query. */
async function readLists(
  { database }: Registry,
  terms: readonly number[],
  { query, scopes }: { query: SearchQuery; scopes: readonly number[] | undefined },
): Promise<{ lists: Posting[]; named: [id: number, name: string][] }> {
  const parameters: unknown[] = [terms];
  if (scopes !== undefined) parameters.push(scopes);
  const inScope = (alias: string) => (scopes === undefined ? '' : ` and ${alias}.scope = any($2::bigint[])`);
  const filters = filterSkills(query, parameters);
  const filtered = (alias: string) =>
    filters === '' ? '' : ` and exists (select from skills s where s.id = ${alias}.skill_id${filters})`;
  const spelled = spellName(query.q);
  const byName =
    spelled === undefined
      ? ''
      : ` union all select 0, string_agg(d.skill_id || ' ' || d.name, ',') from (
           select d.skill_id, d.name from search_documents d
           where d.name like $${parameters.push(`${spelled}%`)}::text${inScope('d')}${filtered('d')}
           order by length(d.name), d.skill_id limit ${MAX_NAMED}) as d`;
  const rows = await database.query<{ place: number; found: string | null }>(
    `select q.place, (
       select string_agg((b.skill_id * 256 + b.weight)::text, ',') from (
         select p.skill_id, p.weight from search_postings p
         where p.term = q.term${inScope('p')}${filtered('p')}
         order by p.weight desc, p.skill_id limit ${MAX_SKILLS_PER_WORD}) as b) as found
     from unnest($1::integer[]) with ordinality as q (term, place)${byName}`,
    parameters,
  );
  const lists: Posting[] = terms.map(() => []);
  let named: [number, string][] = [];
  for (const { place, found } of rows) {
    if (found === null) continue;
    if (place > 0) lists[place - 1] = readList(found);
    else
      named = found.split(',').map((entry) => {
        const [id = '', name = ''] = entry.split(' ');
        return [Number(id), name];
      });
  }
  return { lists, named };
}

const ZERO = 48;
const COMMA = 44;

/** Reads `<id × 256 + weight>,…`. Thousands of numbers a search: no text is made for each. */
function readList(text: string): Posting {
  const list: number[] = [];
  let packed = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? COMMA : text.charCodeAt(at);
    if (code !== COMMA) packed = packed * 10 + code - ZERO;
    else {
      const weight = packed % 256;
      list.push((packed - weight) / 256, weight);
      packed = 0;
    }
  }
  return list;
}

function score(
  words: readonly QueryWord[],
  { terms, lists, basis }: { terms: readonly number[]; lists: readonly Posting[]; basis: Ranking['basis'] },
): Map<number, number> {
  const numbers = new Map<number, number>();
  const postings = new Map<number, Postings>();
  lists.forEach((list, place) => {
    const documents = new Uint32Array(sizeOf(list));
    const weights = new Uint8Array(sizeOf(list));
    for (let at = 0; at < documents.length; at++) {
      const id = list[2 * at] as number;
      let number = numbers.get(id);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(id, number);
      }
      documents[at] = number;
      weights[at] = list[2 * at + 1] as number;
    }
    const frequency = basis.frequencies[place] ?? documents.length;
    postings.set(terms[place] as number, { documents, weights, frequency });
  });
  const scores = createWordScorer({
    skills: basis.skills,
    size: numbers.size,
    find: (term) => postings.get(term) ?? nothing,
  })(words);
  for (const [id, number] of numbers) numbers.set(id, scores[number] as number);
  return numbers;
}

const nothing = { documents: new Uint32Array(0), weights: new Uint8Array(0), frequency: 0 };

/** A query as a name: spaces and hyphens are equivalent; undefined when it cannot be the beginning of one. */
function spellName(query: string): string | undefined {
  const name = query
    .trim()
    .toLowerCase()
    .replace(/^@[a-z0-9-]+\//, '')
    .replaceAll(' ', '-');
  return /^[a-z0-9-]{1,64}$/.test(name) ? name : undefined;
}

function judgeName(name: string, query: string): Omit<RankedSkill, 'id'> {
  const wanted = spellName(query) ?? '';
  if (name === wanted) return { score: 3, reason: 'exact_name' };
  return { score: 2 + wanted.length / name.length, reason: 'prefix' };
}
