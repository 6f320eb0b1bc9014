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
import type { Caller } from '../access/index.ts';
import { emptyPosting, isFull, type Posting } from './packed-store.ts';
import { readPostings } from './read-postings.ts';
import type { IdAndName, Searched, SearchMemory } from './search-memory.ts';
import type { RankedPlace } from './search-skills.ts';
import {
  describeLists,
  type Scopes,
  scopesOf,
  type WordStatistics,
  wordStatistics,
} from './word-statistics.ts';

/** Words of a query that count, the rarest. */
const MAX_WORDS = 10;
/** Words of a query that are looked at. */
const MAX_READ_WORDS = 64;

/** A skill with its score. */
export interface SearchRank {
  readonly id: number;
  readonly score: number;
  readonly reason: SearchHit['reason'];
}

/** All skills found, in no order, and the numbers their scores depend on. */
interface Ranking {
  readonly named: readonly SearchRank[];
  /** Skills with words of the query and their scores, 0 for those that are left out. */
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
  /** True when a limit left skills out. */
  readonly isCut: boolean;
  readonly basis: Omit<RankedPlace, 'score' | 'id'>;
}

/** Ranks skills; `before` holds the numbers of an earlier page. */
export async function rankSkills(
  registry: Searched,
  caller: Caller,
  {
    query,
    before,
    memory,
  }: { readonly query: SearchQuery; readonly before: RankedPlace | undefined; readonly memory: SearchMemory },
): Promise<Ranking> {
  const scopes = scopesOf(caller);
  const statistics = wordStatistics(registry, { scopes, memory });
  const all = readQueryWords(query.q).slice(0, MAX_READ_WORDS);
  const chosen = before === undefined ? await rarestWords(all, statistics) : pick(all, before.words);
  const terms = [
    ...new Set(chosen.flatMap(({ hash, beginning }) => (beginning === 0 ? [hash] : [hash, beginning]))),
    ...new Set(pairsOf(chosen)),
  ];
  const { lists, named } = await findLists(registry, terms, { query, scopes, memory, statistics });
  const basis = {
    words: chosen.map((word) => all.indexOf(word)),
    ...(before === undefined
      ? await countMatches(terms, lists, statistics)
      : { skills: before.skills, frequencies: before.frequencies }),
  };
  return {
    named: named.map(([id, name]) => ({ id, ...judgeName(name, query.q) })),
    ...score(chosen, { terms, lists, basis, named }),
    isCut: lists.some(isFull),
    basis,
  };
}

/** All skills of a ranking. */
export function listRanked({ named, ids, scores }: Ranking): SearchRank[] {
  const all = [...named];
  for (let at = 0; at < ids.length; at++) {
    const score = scores[at] as number;
    if (score > 0) all.push({ id: ids[at] as number, score, reason: 'text' });
  }
  return all;
}

/** The first skills after a place, best first, how many come after that place, and how many there are at all. */
export function bestOf(
  { named, ids, scores }: Ranking,
  { limit, after }: { readonly limit: number; readonly after: RankedPlace | undefined },
): { readonly page: SearchRank[]; readonly rest: number; readonly total: number } {
  const isAfter = (skill: Pick<SearchRank, 'score' | 'id'>) =>
    after === undefined || compareRanked(skill, after) > 0;
  const page = named.filter(isAfter).sort(compareRanked);
  let rest = page.length;
  let total = named.length;
  page.splice(limit);
  // Most candidates are never shown: those below the last of the page are only counted.
  let least = page.length === limit ? (page.at(-1) as SearchRank).score : 0;
  for (let at = 0; at < ids.length; at++) {
    const score = scores[at] as number;
    if (score <= 0) continue;
    total += 1;
    if (after !== undefined && !isAfter({ score, id: ids[at] as number })) continue;
    rest += 1;
    if (score < least) continue;
    const skill: SearchRank = { id: ids[at] as number, score, reason: 'text' };
    let place = page.length;
    while (place > 0 && compareRanked(skill, page[place - 1] as SearchRank) < 0) place -= 1;
    page.splice(place, 0, skill);
    if (page.length > limit) page.pop();
    if (page.length === limit) least = (page.at(-1) as SearchRank).score;
  }
  return { page, rest, total };
}

/** Best first; equal scores by id. */
function compareRanked(a: Pick<SearchRank, 'score' | 'id'>, b: Pick<SearchRank, 'score' | 'id'>): number {
  return b.score - a.score || a.id - b.id;
}

async function rarestWords(
  words: readonly QueryWord[],
  statistics: WordStatistics,
): Promise<readonly QueryWord[]> {
  if (words.length <= MAX_WORDS) return words;
  const known = await statistics.frequencies(words.map(({ hash }) => hash));
  return chooseWords(words, MAX_WORDS, ({ hash }) => known.get(hash) ?? 0);
}

const pick = (words: readonly QueryWord[], places: readonly number[]) =>
  places.flatMap((place) => words[place] ?? []);

/** The number of skills, and how many of them have each term: exact unless its list was cut. */
async function countMatches(
  terms: readonly number[],
  lists: readonly Posting[],
  statistics: WordStatistics,
): Promise<Pick<RankedPlace, 'skills' | 'frequencies'>> {
  const cut = terms.filter((_, place) => isFull(lists[place]!));
  const [known, skills] = await Promise.all([statistics.frequencies(cut), statistics.skills()]);
  const frequencies = terms.map((term, place) => Math.max(known.get(term) ?? 0, lists[place]!.skills.length));
  return { skills: Math.max(skills, ...frequencies), frequencies };
}

/** The best skills of each term, and skills whose name begins with the query: remembered, or read in one statement. */
async function findLists(
  registry: Searched,
  terms: readonly number[],
  {
    query,
    scopes,
    memory,
    statistics,
  }: { query: SearchQuery; scopes: Scopes; memory: SearchMemory; statistics: WordStatistics },
): Promise<{ lists: readonly Posting[]; named: readonly IdAndName[] }> {
  const about = describeLists(scopes, query);
  const spelled = spellName(query.q);
  const known = terms.map((term) => memory.postings.get(about, term));
  const missing = terms.filter((_, place) => known[place] === undefined);
  const knownNames = spelled === undefined ? [] : memory.names.get(about, spelled);
  if (missing.length === 0 && knownNames !== undefined)
    return { lists: known as readonly Posting[], named: knownNames };
  const read = await readPostings(registry, missing, {
    query,
    scopes,
    spelled: knownNames === undefined ? spelled : undefined,
    isCounted: (term) => statistics.recall(term) !== undefined,
  });
  missing.forEach((term, place) => {
    memory.postings.set(about, term, read.lists[place] as Posting);
  });
  for (const [term, count] of read.frequencies) statistics.remember(term, count);
  if (knownNames === undefined) memory.names.set(about, spelled as string, read.named);
  let next = 0;
  return {
    lists: known.map((list) => list ?? (read.lists[next++] as Posting)),
    named: knownNames ?? read.named,
  };
}

function score(
  words: readonly QueryWord[],
  {
    terms,
    lists,
    basis,
    named,
  }: {
    readonly terms: readonly number[];
    readonly lists: readonly Posting[];
    readonly basis: Ranking['basis'];
    readonly named: readonly IdAndName[];
  },
): Pick<Ranking, 'ids' | 'scores'> {
  const numbers = startNumbering();
  const postings = new Map<number, Postings>();
  lists.forEach(({ skills, weights }, place) => {
    if (skills.length === 0) return;
    const documents = new Uint32Array(skills.length);
    for (let at = 0; at < documents.length; at++) documents[at] = numbers.numberOf(skills[at] as number);
    const frequency = basis.frequencies[place] ?? documents.length;
    postings.set(terms[place] as number, { documents, weights, frequency });
  });
  const nowhere: Postings = { documents: emptyPosting.skills, weights: emptyPosting.weights, frequency: 0 };
  const { size } = numbers;
  const scores = createWordScorer({
    skills: basis.skills,
    size,
    find: (term) => postings.get(term) ?? nowhere,
  })(words);
  const ids = new Uint32Array(size);
  for (let number = 0; number < size; number++) ids[number] = numbers.idOf(number);
  // A skill found by its name is ranked by it.
  for (const [id] of named) {
    const place = ids.indexOf(id);
    if (place !== -1) scores[place] = 0;
  }
  return { ids, scores };
}

/** A query as a name: spaces and hyphens are equivalent; undefined when it cannot be the beginning of one. */
function spellName(query: string): string | undefined {
  const name = query
    .trim()
    .toLowerCase()
    .replace(/^@[a-z0-9-]+\//, '')
    .replaceAll(' ', '-');
  return /^[a-z0-9-]{1,64}$/.test(name) ? name : undefined;
}

function judgeName(name: string, query: string): Omit<SearchRank, 'id'> {
  const wanted = spellName(query) ?? '';
  if (name === wanted) return { score: 3, reason: 'exact_name' };
  return { score: 2 + wanted.length / name.length, reason: 'prefix' };
}

/** Slots of the table; a power of two, several times the skills of a search. */
const SLOTS = 2 ** 14;

/** Numbers ids from zero, in the order in which they are first seen. */
interface Numbering {
  readonly size: number;
  numberOf(id: number): number;
  idOf(number: number): number;
}

const owners = new Uint32Array(SLOTS);
const keys = new Uint32Array(SLOTS);
const values = new Uint16Array(SLOTS);
const ids = new Uint32Array(SLOTS);
let owner = 0;

/** Starts again at zero. One table serves all searches, one after another: use the numbering before you wait for anything. */
function startNumbering(): Numbering {
  owner = (owner + 1) >>> 0;
  if (owner === 0) {
    owners.fill(0);
    owner = 1;
  }
  let size = 0;
  return {
    get size() {
      return size;
    },
    numberOf(id) {
      let slot = (Math.imul(id, 0x9e3779b1) >>> 0) % SLOTS;
      while (owners[slot] === owner) {
        if (keys[slot] === id) return values[slot] as number;
        slot = (slot + 1) % SLOTS;
      }
      if (size >= SLOTS / 2) throw new RangeError('too many skills in one search');
      owners[slot] = owner;
      keys[slot] = id;
      values[slot] = size;
      ids[size] = id;
      return size++;
    },
    idOf: (number) => ids[number] as number,
  };
}
