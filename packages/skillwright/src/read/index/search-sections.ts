// Finds sections: FTS5 returns candidates, the stored numbers of the sections rank them.
//
// The order: headings that are the query, headings with all its words, then all others; within each group, by one score in
// which code counts less than prose, and data less still. A section without some of the words says which.

import type { StatementSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import {
  beginningFactor,
  commonFactor,
  hashText,
  isCommonTerm,
  questionWords,
  type RunScanner,
  rarity,
  scannerFor,
  type Tokenizer,
  type Word,
} from '../../base/words/index.ts';
import { createSnippetCutter } from './cut-snippet.ts';
import type { OpenIndexFile } from './database.ts';
import { createSentenceFinder } from './find-passage.ts';
import { type Candidate, type Ranked, rankSections, type SoughtWord } from './rank-sections.ts';
import { createWordFinder, type RelatedTerm, type WordFinder } from './related-words.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { type SectionRow, searchLiteral, selectSections } from './search-literal.ts';
import { type SearchAnswer, sectionContent, type TextKind, textKind } from './section.ts';

/** Search options. */
export interface SectionSearch {
  readonly limit: number;
  /** Sections need not contain all the words, even when some do. */
  readonly any?: boolean | undefined;
  /** Sections the caller may find. The result does not depend on any other section. */
  readonly accept?:
    | ((section: { readonly file: string; readonly start_line: number }) => boolean)
    | undefined;
  /** Sections that were read after similar queries. Each counts as if it had one more rare word. */
  readonly readBefore?: readonly { readonly file: string; readonly section: string }[] | undefined;
}

/** Searches one open index. */
export type SectionSearcher = (query: string, options: SectionSearch) => SearchAnswer;

/** Fewest candidates to score, and candidates per result. */
const minCandidates = 60;
const candidatesPerResult = 4;
/** SQLite LIMIT for no limit. */
const UNLIMITED = -1;

/**
 * When the rarer words of a query occur in this many sections per candidate, the commoner words do not select
 * candidates. Scanning their sections would take most of the time.
 */
const placesPerCandidate = 10;

/** When fewer sections have all the words, those with some of them follow. */
const FEW = 3;
/** Added to the score for a heading with all the words; one without any others adds it twice. */
const headingBonus = 1000;
/** How much a match says, by the kind of text. */
const kindFactors: Readonly<Record<TextKind, number>> = { prose: 1, code: 0.5, data: 0.25 };

/** Prepares the statements once for all queries; `readText` returns the text of a file as indexed. E004 for a blank query. */
export function createSearcher(
  { database, meta }: OpenIndexFile,
  readText: (file: string) => string,
): SectionSearcher {
  const tokenizer = meta.tokenizer as Tokenizer;
  const scan = scannerFor(tokenizer);
  const selectSection = database.prepare(`${selectSections} WHERE sections.id = ?`);
  const selectCandidates = database.prepare(
    `SELECT found.id, found.rank, sections.terms FROM (
      SELECT rowid AS id, bm25(sections_fts, 1, 2, 1, 1) AS rank FROM sections_fts
      WHERE sections_fts MATCH ? ORDER BY rank LIMIT ?
    ) AS found JOIN sections ON sections.id = found.id`,
  );
  const selectRead = database.prepare(
    `SELECT sections.id, 0 AS rank, sections.terms FROM headings JOIN sections ON sections.id = headings.id
    WHERE folded = ? AND file = ?`,
  );
  const findWords = createWordFinder(database);
  let kinds: ReadonlyMap<number, TextKind> | undefined;
  const kindOf = (id: number): TextKind => {
    kinds ??= new Map(
      database
        .prepare('SELECT key, path FROM files')
        .all()
        .map(({ key, path }) => [Number(key), textKind(String(path))]),
    );
    return kinds.get(Math.floor(id / ROWS_PER_FILE)) ?? 'code';
  };
  const sectionOf = (id: number) => selectSection.get(id) as unknown as SectionRow;

  return (text, { limit, accept, any = false, readBefore }) => {
    if (text.trim() === '') throw SkillwrightError.of('E004', {});
    const { words, question } = readQuery(text, scan);
    if (words.length === 0)
      return { query: text, ...searchLiteral(text, { database, readText, limit, accept }) };
    const wanted = Math.max(minCandidates, candidatesPerResult * limit);
    // The vocabulary of sections the caller may not find stays unused.
    const how = { tokenizer, findWords: accept === undefined ? findWords : undefined };
    const sought = words.map((word) => seek(word, how));
    const find = (sought: readonly Sought[], operator: 'AND' | 'OR', column = ''): Candidate[] => {
      const matches = sought.map((word) => (operator === 'OR' ? word.matchAny : word.match));
      const expression = `${column}(${matches.join(` ${operator} `)})`;
      if (accept === undefined) return readRows(selectCandidates.all(expression, wanted));
      const all = readRows(selectCandidates.all(expression, UNLIMITED));
      return all.filter(({ id }) => accept(sectionOf(id))).map((candidate) => ({ ...candidate, rank: 0 }));
    };
    const findSome = (): Candidate[] => {
      if (accept !== undefined) return find(sought, 'OR');
      const telling = takeRarest(sought, placesPerCandidate * wanted);
      const found = find(telling, 'OR');
      return found.length < wanted && telling.length < sought.length ? find(sought, 'OR') : found;
    };
    const whole = question || any ? [] : find(sought, 'AND');
    const partial = whole.length < Math.min(FEW, limit) ? findSome() : [];
    // FTS5 may rank a long section with a fitting heading too low.
    const isCut = !question && accept === undefined && Math.max(whole.length, partial.length) >= wanted;
    const titled = isCut ? find(sought, 'AND', 'section : ') : [];
    const known = (readBefore ?? [])
      .flatMap(({ file, section }) => readRows(selectRead.all(foldText(section), file)))
      .filter(({ id }) => accept?.(sectionOf(id)) !== false);
    const candidates = new Map(
      [...known, ...partial, ...whole, ...titled].map((candidate) => [candidate.id, candidate]),
    );
    const ranked = rankSections([...candidates.values()], sought, {
      sections: meta.totals.sections,
      averageContentLength: meta.totals.contentTerms / meta.totals.sections,
      averageHeadingLength: meta.totals.headingTerms / meta.totals.sections,
    });
    const isRead = new Set(known.map(({ id }) => id));
    const bonus = rarity(1, meta.totals.sections);
    const placed = ranked.map((found) => {
      const score = isRead.has(found.id) ? found.score + bonus : found.score;
      return { ...found, score: placeSection({ ...found, score }, kindOf(found.id)) };
    });
    // A section that has none of the words is an answer to a question at most.
    const literal = placed.filter(({ has }) => has.includes(true));
    const best = takeBest(question || literal.length === 0 ? placed : literal, limit)
      .map((found) => ({ ...found, row: sectionOf(found.id) }))
      .sort(
        (a, b) =>
          b.score - a.score || compareBytes(a.row.file, b.row.file) || a.row.start_line - b.row.start_line,
      )
      .slice(0, limit);
    const shown = sought.flatMap(({ terms, related, grams, frequency }) => [
      ...terms.map((term) => ({ term, grams, weight: 1 / (1 + frequency) })),
      ...related.map(({ term, factor }) => ({ term, grams: [], weight: factor / (1 + frequency) })),
    ]);
    const weights = shown.map(({ weight }) => weight);
    const cut = createSnippetCutter(shown, weights, scan);
    const findSentence = createSentenceFinder(shown, weights, cut);
    const texts = new Map<string, string>();
    const textOf = (file: string): string => {
      const text = texts.get(file) ?? readText(file);
      texts.set(file, text);
      return text;
    };
    const results = best.map(({ id, score, has, row: { preface, from, to, ...place } }) => {
      // A file whose text is left out need not be read.
      const content = from === to ? preface : sectionContent(textOf(place.file), { preface, from, to });
      const heading = cut(place.section);
      const sentence = findSentence(content, textKind(place.file));
      const missing = sought.flatMap(({ spelled }, word) => (has[word] ? [] : [spelled]));
      return {
        ...place,
        ...(heading.includes('[MATCH]') ? { heading } : {}),
        snippet: sentence.shown,
        ...(place.level === 0 ? { passage: place.start_line + lineAt(content, sentence.from) } : {}),
        ...(missing.length > 0 && !question ? { missing } : {}),
        ...(isRead.has(id) ? { read_before: true as const } : {}),
        score,
      };
    });
    const spellings = [...results.map(({ snippet }) => snippet), ...texts.values()];
    const instead = sought.flatMap(({ spelled, terms, isInstead }) =>
      isInstead ? [{ word: spelled, by: spellTerms(terms, spellings, scan) }] : [],
    );
    return {
      query: text,
      results,
      relaxed: results.length > 0 && sought.length > 1 && whole.length === 0,
      ...(instead.length > 0 ? { instead } : {}),
    };
  };
}

/** The first `limit` by score, and all others with the score of the last of them. */
function takeBest<Item extends { readonly score: number }>(items: readonly Item[], limit: number): Item[] {
  const sorted = items.toSorted((a, b) => b.score - a.score);
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY;
  return sorted.filter(({ score }) => score >= last);
}

/** A word of the query, and what is looked for. */
interface Sought extends SoughtWord {
  /** As the query spells it. */
  readonly spelled: string;
  /** Its term, or those of the words used instead. */
  readonly terms: readonly string[];
  readonly related: readonly (RelatedTerm & { readonly hash: number })[];
  readonly isInstead: boolean;
  readonly grams: readonly string[];
  /** FTS5 expressions: for the word, and for it or any related one. */
  readonly match: string;
  readonly matchAny: string;
}

/** Words to look for: the word, or the words most like it when the skill does not have it. */
function seek(
  { word, spelled }: TypedWord,
  { tokenizer, findWords }: { tokenizer: Tokenizer; findWords: WordFinder | undefined },
): Sought {
  const { term, grams } = word;
  const { frequency, instead, related } = findWords?.(word) ?? { frequency: 1, instead: [], related: [] };
  const isInstead = instead.length > 0;
  const terms = isInstead ? instead : [term];
  const pairs = grams.length > 1 ? grams.slice(0, -1) : grams;
  const match = isInstead ? matchAnyOf(terms) : matchWord(word);
  return {
    spelled,
    terms,
    related: related.map(({ term, factor }) => ({ hash: hashText(term), term, factor })),
    isInstead,
    grams,
    frequency,
    hashes: [...terms, ...pairs].map((text) => hashText(text)),
    weight: (isCommonTerm(term, tokenizer) ? commonFactor : 1) * (isInstead ? beginningFactor : 1),
    match,
    matchAny: related.length === 0 ? match : `(${match} OR ${matchAnyOf(related.map(({ term }) => term))})`,
  };
}

const matchAnyOf = (terms: readonly string[]) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`;

/** The score by which a section is ordered. */
function placeSection({ score, heading }: Ranked, kind: TextKind): number {
  const bonus = heading === 'exact' ? 2 * headingBonus : heading === 'full' ? headingBonus : 0;
  return Math.round((bonus + score * kindFactors[kind]) * 1e4) / 1e4;
}

/** The first spelling of each term in some texts. */
function spellTerms(terms: readonly string[], texts: readonly string[], scan: RunScanner): string[] {
  const spelled = new Map<string, string>();
  for (const text of texts) {
    if (spelled.size === terms.length) break;
    scan(text, ({ words }, start, end) => {
      const term = words[0]?.term ?? '';
      if (words.length === 1 && terms.includes(term) && !spelled.has(term))
        spelled.set(term, text.slice(start, end).toLowerCase());
    });
  }
  return terms.map((term) => spelled.get(term) ?? term);
}

/** Number of lines that end before an offset of a text. */
const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length - 1;

/** The rarest words, in order, that together occur in at least this many places; words without a match count as zero. */
function takeRarest(words: readonly Sought[], places: number): Sought[] {
  const taken = new Set<Sought>();
  let sum = 0;
  for (const word of words.toSorted((a, b) => a.frequency - b.frequency)) {
    if (sum >= places) break;
    taken.add(word);
    sum += word.frequency;
  }
  return words.filter((word) => taken.has(word));
}

const readRows = (rows: ReturnType<StatementSync['all']>): Candidate[] =>
  rows.map(({ id, rank, terms }) => ({ id: Number(id), rank: Number(rank), terms: terms as Uint8Array }));

// Parses a query into terms and an FTS5 expression. Every term is quoted and holds only letters, marks and digits, so
// user input is never syntax.

/** A word as typed. */
interface TypedWord {
  readonly word: Word;
  readonly spelled: string;
}

/** A parsed query. */
interface Query {
  /** The distinct words to match, in query order. */
  readonly words: readonly TypedWord[];
  /** True for a question or another long text: sections need not contain all of its words. */
  readonly question: boolean;
}

/** Further words of a query are ignored. */
const maxWords = 64;
/** Further text of a query is not read. */
const maxLength = 10_000;
/** A query with more words than this counts as a description. */
const maxRequired = 7;

/** Parses a query. Drops stop words unless there are no others. */
export function readQuery(text: string, scan: RunScanner): Query {
  const typed: TypedWord[] = [];
  scan(text.slice(0, maxLength), ({ words }, start, end) => {
    for (const word of words)
      typed.push({ word, spelled: words.length === 1 ? text.slice(start, end) : word.term });
  });
  const telling = typed.filter(({ word }) => !word.stop);
  const distinct = new Map<string, TypedWord>();
  for (const one of telling.length > 0 ? telling : typed) {
    if (distinct.size >= maxWords) break;
    if (!distinct.has(one.word.term)) distinct.set(one.word.term, one);
  }
  const asked =
    (typed.length > 2 && /[?？]\s*$/.test(text)) ||
    (typed.length > 3 && questionWords.has(typed[0]?.word.term ?? ''));
  return { words: [...distinct.values()], question: asked || distinct.size > maxRequired };
}

/** A word of a script without spaces also matches where the text was split differently. */
function matchWord(word: Word): string {
  const quoted = `"${word.term}"`;
  if (word.grams.length === 0) return quoted;
  if (word.grams.length === 1) return `(${quoted} OR grams : ${quoted} *)`;
  return `(${quoted} OR grams : "${word.grams.slice(0, -1).join(' ')}")`;
}
