// Finding sections: FTS5 gives candidates, the sections' own numbers put them in order.

import type { StatementSync } from 'node:sqlite';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { compareBytes } from '../files/compare-paths.ts';
import { createSnippetCutter } from './cut-snippet.ts';
import type { OpenDatabase } from './database.ts';
import { type Candidate, type Ranked, rankSections } from './rank-sections.ts';
import { matchExpression, readQuery } from './read-query.ts';
import type { RunScanner } from './scan-runs.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { type Section, sectionContent } from './section.ts';

/** A section that was found. Lines are those of its own text, its heading included. */
export interface SearchResult {
  readonly file: string;
  readonly section: string;
  readonly anchor: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly snippet: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** The answer to a query. `relaxed`: the results need not hold all of its words. */
export interface SearchAnswer {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly relaxed: boolean;
}

/** Searches one open index. */
export type SectionSearcher = (query: string, options: { limit: number }) => SearchAnswer;

type SectionRow = Omit<SearchResult, 'snippet' | 'score'> & Pick<Section, 'preface' | 'from' | 'to'>;

/** So many candidates are weighed at least, and so many for each result. */
const minCandidates = 60;
const candidatesPerResult = 4;

/** Prepares the statements once for all queries; `readText` gives the text of a file as it was indexed. E004 for a blank query. */
export function createSearcher(
  { database, meta }: OpenDatabase,
  scan: RunScanner,
  readText: (file: string) => string,
): SectionSearcher {
  const selectFrequency = database.prepare('SELECT doc FROM sections_terms WHERE term = ?');
  const selectSection = database.prepare(
    `SELECT path AS file, ifnull(text, '') AS section, ifnull(anchor, '') AS anchor, sections.start_line,
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

  return (text, { limit }) => {
    if (text.trim() === '') throw SkillwrightError.of('E004', {});
    const { words, question } = readQuery(text, scan);
    if (words.length === 0) return { query: text, results: [], relaxed: false };
    const find = (require: 'all' | 'some') =>
      readCandidates(
        selectCandidates,
        matchExpression(words, require),
        Math.max(minCandidates, candidatesPerResult * limit),
      );
    const exact = question ? [] : find('all');
    const relaxed = exact.length === 0 && words.length > 1;
    const candidates = relaxed ? find('some') : question ? find('all') : exact;

    const frequencies = words.map((word) => Number(selectFrequency.get(word.term)?.doc ?? 0));
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
      .map(({ id, score }) => ({ score, row: selectSection.get(id) as unknown as SectionRow }))
      .sort(
        (a, b) =>
          b.score - a.score || compareBytes(a.row.file, b.row.file) || a.row.start_line - b.row.start_line,
      )
      .slice(0, limit)
      .map(({ score, row: { preface, from, to, ...place } }) => {
        const content = sectionContent(textOf(place.file), { preface, from, to });
        return { ...place, snippet: cutSnippet(content), score };
      });
    return { query: text, results, relaxed: relaxed && results.length > 0 };
  };
}

/** The first `limit` by rounded score, and whatever else has the score of the last of them. */
function takeBest(ranked: readonly Ranked[], limit: number): Ranked[] {
  const sorted = ranked
    .map(({ id, score }) => ({ id, score: Math.round(score * 1e4) / 1e4 }))
    .sort((a, b) => b.score - a.score);
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY;
  return sorted.filter(({ score }) => score >= last);
}

function readCandidates(statement: StatementSync, expression: string, limit: number): Candidate[] {
  return statement.all(expression, limit).map((row) => ({
    id: Number(row.id),
    rank: Number(row.rank),
    terms: row.terms as Uint8Array,
  }));
}
