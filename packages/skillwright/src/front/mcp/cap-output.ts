// Limits results to a size that suits a model.

import { startOf } from '../../base/diagnostics/index.ts';

/** Most characters of a result, as JSON or as text. */
export const MAX_CHARACTERS = 100_000;

/** Texts up to this length are names and paths and stay whole. */
const NAME_LENGTH = 256;

/** A part that was left out. */
export interface Cut {
  /** The field, such as `content` or `headings`. */
  readonly field: string;
  readonly kept: number;
  readonly total: number;
  readonly unit: 'lines' | 'entries' | 'characters';
}

/** Shortens long lists and texts of a result, keeping the shape of its schema. */
export function capOutput<Output>(output: Output, limit = MAX_CHARACTERS): { output: Output; cuts: Cut[] } {
  if (JSON.stringify(output).length <= limit) return { output, cuts: [] };
  const cuts: Cut[] = [];
  let left = limit;
  const visit = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') {
      const kept = value.length <= Math.max(left, NAME_LENGTH) ? value : cutText(value, left);
      if (kept !== value) cuts.push({ field, kept: linesIn(kept), total: linesIn(value), unit: 'lines' });
      left -= kept.length;
      return kept;
    }
    if (Array.isArray(value)) {
      const kept: unknown[] = [];
      for (const item of value) {
        if (left <= 0) break;
        kept.push(visit(item, field));
      }
      if (kept.length < value.length)
        cuts.push({ field, kept: kept.length, total: value.length, unit: 'entries' });
      return kept;
    }
    if (typeof value !== 'object' || value === null) {
      left -= 8;
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        left -= key.length + 6;
        return [key, visit(item, key)];
      }),
    );
  };
  return { output: visit(output, 'result') as Output, cuts };
}

/** The beginning of a text, cut at a line end if possible. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit - 1) + 1;
  if (end > 0) return text.slice(0, end);
  // Do not split a surrogate pair.
  return startOf(text, Math.max(0, limit));
}

/** One line that lists the cuts and says how to get the rest. */
export function describeCuts(cuts: readonly Cut[], rest: string): string {
  const parts = cuts.map(({ field, kept, total, unit }) => `${kept} of ${total} ${unit} of ${field}`);
  return `... cut at ${MAX_CHARACTERS} characters: ${parts.join(', ')}. For the rest, ${rest}.`;
}

function linesIn(text: string): number {
  const ends = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  return text === '' || /[\r\n]$/.test(text) ? ends : ends + 1;
}
