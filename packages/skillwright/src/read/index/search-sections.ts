// Finds sections: FTS5 returns candidates, the stored numbers of the sections rank them.

import type { StatementSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { questionWords, type Word } from './analyze-text.ts';
import { createSnippetCutter } from './cut-snippet.ts';
import type { OpenIndexFile } from './database.ts';
import { type Candidate, type Ranked, rankSections } from './rank-sections.ts';
import type { RunScanner } from './scan-runs.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { searchLiteral } from './search-literal.ts';
import { type SearchAnswer, type SearchResult, type Section, sectionContent } from './section.ts';

/** Search options. */
export interface SectionSearch {
  readonly limit: number;
  /** Sections need not contain all the words, even when some do. */
  readonly any?: boolean | undefined;
  /** Sections the caller may find. The result does not depend on any other section. */
  readonly accept?:
    | ((section: { readonly file: string; readonly start_line: number }) => boolean)
    | undefined;
}

/** Searches one open index. */
export type SectionSearcher = (query: string, options: SectionSearch) => SearchAnswer;

type SectionRow = Omit<SearchResult, 'heading' | 'snippet' | 'score' | 'passage'> &
  Pick<Section, 'preface' | 'from' | 'to'>;

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

/** Prepares the statements once for all queries; `readText` returns the text of a file as indexed. E004 for a blank query. */
export function createSearcher(
  { database, meta }: OpenIndexFile,
  scan: RunScanner,
  readText: (file: string) => string,
): SectionSearcher {
  const selectFrequency = database.prepare('SELECT doc FROM sections_terms WHERE term = ?');
  const selectSection = database.prepare(
    `SELECT path AS file, ifnull(text, '') AS section, ifnull(anchor, '') AS anchor, ifnull(level, 0) AS level, sections.start_line,
      sections.end_line, preface, content_from AS "from", content_to AS "to"
    FROM sections JOIN files ON files.key = sections.id / ${ROWS_PER_FILE}
    LEFT JOIN headings ON headings.id = sections.id WHERE sections.id = ?`,
  );
  const selectCandidates = database.prepare(
    `SELECT found.id, found.rank, sections.terms FROM (
      SELECT rowid AS id, bm25(sections_fts, 2, 6, 1, 1) AS rank FROM sections_fts
      WHERE sections_fts MATCH ? ORDER BY rank LIMIT ?
    ) AS found JOIN sections ON sections.id = found.id`,
  );

  const sectionOf = (id: number) => selectSection.get(id) as unknown as SectionRow;

  return (text, { limit, accept, any = false }) => {
    if (text.trim() === '') throw SkillwrightError.of('E004', {});
    const { words, question } = readQuery(text, scan);
    if (words.length === 0)
      return { query: text, ...searchLiteral(text, { database, readText, limit, accept }) };
    const wanted = Math.max(minCandidates, candidatesPerResult * limit);
    const frequencies = words.map((word) =>
      accept === undefined ? Number(selectFrequency.get(word.term)?.doc ?? 0) : 1,
    );
    const find = (words: readonly Word[], require: 'all' | 'some'): Candidate[] => {
      const expression = matchExpression(words, require);
      if (accept === undefined) return readCandidates(selectCandidates, expression, wanted);
      const all = readCandidates(selectCandidates, expression, UNLIMITED);
      return all.filter(({ id }) => accept(sectionOf(id))).map((candidate) => ({ ...candidate, rank: 0 }));
    };
    const findSome = (): Candidate[] => {
      if (accept !== undefined) return find(words, 'some');
      const telling = takeRarest(words, frequencies, placesPerCandidate * wanted);
      const found = find(telling, 'some');
      return found.length < wanted && telling.length < words.length ? find(words, 'some') : found;
    };
    const exact = question || (any && words.length > 1) ? [] : find(words, 'all');
    const relaxed = exact.length === 0 && words.length > 1;
    const candidates = relaxed ? findSome() : question ? find(words, 'all') : exact;
    const ranked = rankSections(candidates, words, {
      sections: meta.totals.sections,
      averageContentLength: meta.totals.contentTerms / meta.totals.sections,
      averageHeadingLength: meta.totals.headingTerms / meta.totals.sections,
      frequencies,
    });
    const cutSnippet = createSnippetCutter(
      words,
      frequencies.map((frequency) => 1 / (1 + frequency)),
      scan,
    );
    const texts = new Map<string, string>();
    const textOf = (file: string): string => {
      const text = texts.get(file) ?? readText(file);
      texts.set(file, text);
      return text;
    };
    const results = takeBest(ranked, limit)
      .map(({ id, score }) => ({ score, row: sectionOf(id) }))
      .sort(
        (a, b) =>
          b.score - a.score || compareBytes(a.row.file, b.row.file) || a.row.start_line - b.row.start_line,
      )
      .slice(0, limit)
      .map(({ score, row: { preface, from, to, ...place } }) => {
        // A file whose text is left out need not be read.
        const content = from === to ? preface : sectionContent(textOf(place.file), { preface, from, to });
        const heading = cutSnippet(place.section);
        return {
          ...place,
          ...(heading.includes('[MATCH]') ? { heading } : {}),
          snippet: cutSnippet(content),
          ...(place.level === 0
            ? { passage: place.start_line + lineAt(content, cutSnippet.startOf(content)) }
            : {}),
          score,
        };
      });
    return { query: text, results, relaxed: relaxed && results.length > 0 };
  };
}

/** Number of lines that end before an offset of a text. */
const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length - 1;

/** The first `limit` by rounded score, and all others with the score of the last of them. */
function takeBest(ranked: readonly Ranked[], limit: number): Ranked[] {
  const sorted = ranked
    .map(({ id, score }) => ({ id, score: Math.round(score * 1e4) / 1e4 }))
    .sort((a, b) => b.score - a.score);
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY;
  return sorted.filter(({ score }) => score >= last);
}

/** The rarest words, in order, that together occur in at least this many places; words without a match count as zero. */
function takeRarest(words: readonly Word[], frequencies: readonly number[], places: number): Word[] {
  const rarest = frequencies.map((frequency, index) => ({ frequency, index }));
  rarest.sort((a, b) => a.frequency - b.frequency);
  const taken = new Set<number>();
  let sum = 0;
  for (const { frequency, index } of rarest) {
    if (sum >= places) break;
    taken.add(index);
    sum += frequency;
  }
  return words.filter((_, index) => taken.has(index));
}

function readCandidates(statement: StatementSync, expression: string, limit: number): Candidate[] {
  return statement.all(expression, limit).map((row) => ({
    id: Number(row.id),
    rank: Number(row.rank),
    terms: row.terms as Uint8Array,
  }));
}

// Parses a query into terms and an FTS5 expression. Every term is quoted and holds only letters, marks and digits, so
// user input is never syntax.

/** A parsed query. */
interface Query {
  /** The distinct words to match, in query order. */
  readonly words: readonly Word[];
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
  const typed: Word[] = [];
  scan(text.slice(0, maxLength), ({ words }) => typed.push(...words));
  const telling = typed.filter((word) => !word.stop);
  const distinct = new Map<string, Word>();
  for (const word of telling.length > 0 ? telling : typed) {
    if (distinct.size >= maxWords) break;
    distinct.set(word.term, word);
  }
  const asked =
    (typed.length > 2 && /[?？]\s*$/.test(text)) ||
    (typed.length > 3 && questionWords.has(typed[0]?.term ?? ''));
  return { words: [...distinct.values()], question: asked || distinct.size > maxRequired };
}

/** FTS5 expression for sections with all of the words, or with some. */
function matchExpression(words: readonly Word[], require: 'all' | 'some'): string {
  return words.map(matchWord).join(require === 'all' ? ' AND ' : ' OR ');
}

/** A word of a script without spaces also matches where the text was split differently. */
function matchWord(word: Word): string {
  const quoted = `"${word.term}"`;
  if (word.grams.length === 0) return quoted;
  if (word.grams.length === 1) return `(${quoted} OR grams : ${quoted} *)`;
  return `(${quoted} OR grams : "${word.grams.slice(0, -1).join(' ')}")`;
}
