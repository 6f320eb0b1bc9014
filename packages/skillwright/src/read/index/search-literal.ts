// Searches for symbols, operators and emoji. They are not in the index, so the texts are read.

import type { DatabaseSync } from 'node:sqlite';
import { ROWS_PER_FILE } from './schema.ts';
import { type SearchResult, type Section, sectionContent } from './section.ts';

/** Searched texts, and limits. */
interface LiteralSearch {
  readonly database: DatabaseSync;
  readonly readText: (file: string) => string;
  readonly limit: number;
  readonly accept: ((section: { readonly file: string; readonly start_line: number }) => boolean) | undefined;
}

/** A row of `selectSections`. */
export type SectionRow = Omit<SearchResult, 'snippet' | 'score' | 'heading' | 'passage'> &
  Pick<Section, 'preface' | 'from' | 'to'>;

/** Selects sections with their place and the range of their text. */
export const selectSections = `
SELECT path AS file, ifnull(text, '') AS section, ifnull(anchor, '') AS anchor, ifnull(level, 0) AS level,
  sections.start_line, sections.end_line, preface, content_from AS "from", content_to AS "to"
FROM sections JOIN files ON files.key = sections.id / ${ROWS_PER_FILE}
LEFT JOIN headings ON headings.id = sections.id`;

/** Characters shown before and after the first match. */
const margin = 100;

/** Sections that contain all pieces of a query literally, or some of them when none contains all. */
export function searchLiteral(
  query: string,
  { database, readText, limit, accept }: LiteralSearch,
): { results: SearchResult[]; relaxed: boolean } {
  const pieces = [...new Set(query.replaceAll('\ufe0f', '').trim().split(/\s+/))].filter(Boolean);
  const rows = database
    .prepare(`${selectSections} ORDER BY path, sections.id`)
    .all() as unknown as SectionRow[];
  const found: { row: SectionRow; content: string; pieces: number; score: number }[] = [];
  let text = { file: '', content: '' };
  for (const row of rows) {
    if (accept?.(row) === false) continue;
    if (row.from !== row.to && row.file !== text.file) text = { file: row.file, content: readText(row.file) };
    const content = row.from === row.to ? row.preface : sectionContent(text.content, row);
    const counts = pieces.map((piece) => [count(row.section, piece), count(content, piece)] as const);
    const matched = counts.filter(([heading, body]) => heading + body > 0).length;
    if (matched === 0) continue;
    // A heading describes its whole section.
    const score = counts.reduce((sum, [heading, body]) => sum + 10 * heading + body, 0);
    found.push({ row, content, pieces: matched, score });
  }
  const best = Math.max(0, ...found.map(({ pieces }) => pieces));
  const results = found
    .filter(({ pieces }) => pieces === best)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ row: { preface, from, to, ...place }, content, score }) => {
      const heading = mark(place.section, pieces);
      return {
        ...place,
        ...(heading === place.section ? {} : { heading }),
        snippet: cutAround(content, pieces),
        score,
      };
    });
  return { results, relaxed: results.length > 0 && best < pieces.length };
}

function count(text: string, piece: string): number {
  let times = 0;
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length)) times++;
  return times;
}

function mark(text: string, pieces: readonly string[]): string {
  // The longest first, so that a piece inside another is not marked twice.
  const pattern = pieces
    .toSorted((a, b) => b.length - a.length)
    .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return text.replace(new RegExp(pattern.join('|'), 'g'), '[MATCH]$&[/MATCH]');
}

function cutAround(text: string, pieces: readonly string[]): string {
  const places = pieces.map((piece) => text.indexOf(piece)).filter((place) => place !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, first - margin);
  const to = Math.min(text.length, first + margin);
  const shown = mark(text.slice(from, to).toWellFormed(), pieces).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '… ' : ''}${shown}${to < text.length ? ' …' : ''}`;
}
