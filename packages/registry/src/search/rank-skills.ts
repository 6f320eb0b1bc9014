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
import type { NamedSkill, Posting, SearchMemory } from './search-memory.ts';
import { type Scopes, scopesOf, wordStatistics } from './word-statistics.ts';

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
  {
    query,
    before,
    memory,
  }: { readonly query: SearchQuery; readonly before: RankedPlace | undefined; readonly memory: SearchMemory },
): Promise<Ranking> {
  const scopes = scopesOf(caller);
  const statistics = wordStatistics(registry, scopes);
  const all = readQueryWords(query.q).slice(0, MAX_READ_WORDS);
  const chosen = before === undefined ? await choose(all, statistics) : pick(all, before.words);
  const terms = [
    ...new Set(chosen.flatMap(({ hash, beginning }) => (beginning === 0 ? [hash] : [hash, beginning]))),
    ...new Set(pairsOf(chosen)),
  ];
  const { lists, named } = await findLists(registry, terms, { query, scopes, memory });
  const isCut = lists.some(isFull);
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
  const cut = terms.filter((_, place) => isFull(lists[place]!));
  const [known, skills] = await Promise.all([statistics.frequencies(cut), statistics.skills()]);
  const frequencies = terms.map((term, place) => Math.max(known.get(term) ?? 0, lists[place]!.skills.length));
  return { skills: Math.max(skills, ...frequencies), frequencies };
}

const isFull = ({ skills }: Posting) => skills.length === MAX_SKILLS_PER_WORD;

interface Lists {
  readonly lists: readonly Posting[];
  readonly named: readonly NamedSkill[];
}

/** The best skills of each term, and skills whose name begins with the query: remembered, or read in one statement. */
async function findLists(
  registry: Registry,
  terms: readonly number[],
  { query, scopes, memory }: { query: SearchQuery; scopes: Scopes; memory: SearchMemory },
): Promise<Lists> {
  const { owner, tag, category, level } = query;
  const about = JSON.stringify([scopes, owner, tag, category, level]);
  const spelled = spellName(query.q);
  const [lists, names] = [memory.lists(about), memory.names(about)];
  const known = terms.map((term) => lists.get(term));
  const missing = terms.filter((_, place) => known[place] === undefined);
  const knownNames = spelled === undefined ? [] : names.get(spelled);
  if (missing.length === 0 && knownNames !== undefined)
    return { lists: known as readonly Posting[], named: knownNames };
  const read = await readLists(registry, missing, {
    query,
    scopes,
    spelled: knownNames === undefined ? spelled : undefined,
  });
  missing.forEach((term, place) => {
    lists.set(term, read.lists[place]!);
  });
  if (knownNames === undefined) names.set(spelled!, read.named);
  let next = 0;
  return {
    lists: known.map((list) => list ?? read.lists[next++]!),
    named: knownNames ?? read.named,
  };
}

async function readLists(
  { database }: Registry,
  terms: readonly number[],
  { query, scopes, spelled }: { query: SearchQuery; scopes: Scopes; spelled: string | undefined },
): Promise<Lists> {
  const parameters: unknown[] = [terms];
  if (scopes !== undefined) parameters.push(scopes);
  const inScope = (alias: string) => (scopes === undefined ? '' : ` and ${alias}.scope = any($2::bigint[])`);
  const filters = filterSkills(query, parameters);
  const filtered = (alias: string) =>
    filters === '' ? '' : ` and exists (select from skills s where s.id = ${alias}.skill_id${filters})`;
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
  const lists: Posting[] = terms.map(() => nothing);
  let named: NamedSkill[] = [];
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
  const skills = new Uint32Array(MAX_SKILLS_PER_WORD);
  const weights = new Uint8Array(MAX_SKILLS_PER_WORD);
  let packed = 0;
  let size = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? COMMA : text.charCodeAt(at);
    if (code !== COMMA) packed = packed * 10 + code - ZERO;
    else {
      const weight = packed % 256;
      skills[size] = (packed - weight) / 256;
      weights[size] = weight;
      size += 1;
      packed = 0;
    }
  }
  // A short list must not hold the memory of a long one.
  return size === skills.length
    ? { skills, weights }
    : { skills: skills.slice(0, size), weights: weights.slice(0, size) };
}

function score(
  words: readonly QueryWord[],
  { terms, lists, basis }: { terms: readonly number[]; lists: readonly Posting[]; basis: Ranking['basis'] },
): Map<number, number> {
  const numbers = new Map<number, number>();
  const postings = new Map<number, Postings>();
  lists.forEach(({ skills, weights }, place) => {
    const documents = new Uint32Array(skills.length);
    for (let at = 0; at < documents.length; at++) {
      const id = skills[at] as number;
      let number = numbers.get(id);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(id, number);
      }
      documents[at] = number;
    }
    const frequency = basis.frequencies[place] ?? documents.length;
    postings.set(terms[place] as number, { documents, weights, frequency });
  });
  const scores = createWordScorer({
    skills: basis.skills,
    size: numbers.size,
    find: (term) => postings.get(term) ?? nowhere,
  })(words);
  for (const [id, number] of numbers) numbers.set(id, scores[number] as number);
  return numbers;
}

const nothing: Posting = { skills: new Uint32Array(0), weights: new Uint8Array(0) };
const nowhere: Postings = { documents: nothing.skills, weights: nothing.weights, frequency: 0 };

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
