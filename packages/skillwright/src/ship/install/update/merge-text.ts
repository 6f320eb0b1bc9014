// Merges two versions of a text with a common base, if they do not change the same lines.

import { diff3Merge } from 'node-diff3';
import { decodeText } from '../../../base/files/index.ts';

/** The worst case is quadratic in lines: longer texts are left to the user. */
const MAX_MERGE_BYTES = 2 * 1024 * 1024;

/** The three versions of one file. */
interface MergeInput {
  readonly base: Buffer;
  readonly mine: Buffer;
  readonly theirs: Buffer;
}

/** The merged text; undefined when both changed the same lines, or when it is not text. Line endings are kept. */
export function mergeText({ base, mine, theirs }: MergeInput): Buffer | undefined {
  if (mine.equals(theirs) || theirs.equals(base)) return mine;
  if (mine.equals(base)) return theirs;
  const regions = regionsOf({ base, mine, theirs });
  if (regions === undefined || regions.some(({ ok }) => ok === undefined)) return undefined;
  return Buffer.from(regions.flatMap(({ ok }) => ok ?? []).join(''));
}

/** Lines of the user's version that both sides changed, counted from 1; undefined when it is not text. */
export function findConflicts(input: MergeInput): { first: number; last: number }[] | undefined {
  const found: { first: number; last: number }[] = [];
  let line = 1;
  for (const { ok, conflict } of regionsOf(input) ?? []) {
    const length = (ok ?? conflict?.a ?? []).length;
    if (ok === undefined) found.push({ first: line, last: line + Math.max(length, 1) - 1 });
    line += length;
  }
  return regionsOf(input) === undefined ? undefined : found;
}

const [MARK_YOURS, MARK_BETWEEN, MARK_THEIRS] = ['<<<<<<< yours', '=======', '>>>>>>> theirs'];

/** Both versions in one text, with conflict markers around the lines that both sides changed; undefined when not text. */
export function markConflicts(input: MergeInput): Buffer | undefined {
  const lines = regionsOf(input)?.flatMap(({ ok, conflict }) =>
    ok !== undefined
      ? ok
      : [
          `${MARK_YOURS}\n`,
          ...ended(conflict?.a ?? []),
          `${MARK_BETWEEN}\n`,
          ...ended(conflict?.b ?? []),
          `${MARK_THEIRS}\n`,
        ],
  );
  return lines === undefined ? undefined : Buffer.from(lines.join(''));
}

/** True for a text that still has markers of `markConflicts`. */
export function hasMarks(bytes: Buffer): boolean {
  const lines = new Set(linesOf(bytes)?.map((line) => line.trimEnd()) ?? []);
  return lines.has(MARK_YOURS!) && lines.has(MARK_THEIRS!);
}

const ended = (lines: readonly string[]) => lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`));

function regionsOf({ base, mine, theirs }: MergeInput) {
  const [a, o, b] = [mine, base, theirs].map(linesOf);
  if (a === undefined || o === undefined || b === undefined) return undefined;
  return diff3Merge(a, o, b, { excludeFalseConflicts: true });
}

/** Lines with their endings, so that a missing final one is a difference like any other. */
function linesOf(bytes: Buffer): string[] | undefined {
  const { text, valid, binary } = decodeText(bytes);
  if (bytes.length > MAX_MERGE_BYTES || binary || !valid) return undefined;
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
