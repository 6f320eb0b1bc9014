// The difference between two texts as `diff -u` shows it.

const CONTEXT = 3;
const NO_END = '\\ No newline at end of file';
/** Larger differing parts are shown as replaced: comparing them line by line would take too long. */
const MAX_COMPARED = 1000;

interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** A unified diff of one file; empty when nothing differs. */
export function renderDiff(path: string, { before, after }: { before: string; after: string }): string {
  if (before === after) return '';
  const edits = compareLines(linesOf(before), linesOf(after));
  const hunks = findHunks(edits).map(({ start, end }) => {
    const count = (part: readonly Edit[], without: '-' | '+') =>
      part.filter(({ mark, line }) => mark !== without && line !== NO_END).length;
    const [above, shown] = [edits.slice(0, start), edits.slice(start, end)];
    const range = (without: '-' | '+') => `${1 + count(above, without)},${count(shown, without)}`;
    const lines = shown.map(({ mark, line }) => (line === NO_END ? line : mark + line));
    return [`@@ -${range('+')} +${range('-')} @@`, ...lines].join('\n');
  });
  return `${[`--- a/${path}`, `+++ b/${path}`, ...hunks].join('\n')}\n`;
}

/** The lines of a text without their line ends; ends other than LF stay visible. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push(NO_END);
  return lines;
}

function compareLines(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (line: string): Edit => ({ mark: ' ', line });
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): Edit[] {
  const removed = before.map((line): Edit => ({ mark: '-', line }));
  const added = after.map((line): Edit => ({ mark: '+', line }));
  if (before.length * after.length > MAX_COMPARED * MAX_COMPARED) return [...removed, ...added];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column]
          ? lengths[at + width + 1]! + 1
          : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const edits: Edit[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    const at = row * width + column;
    if (before[row] === after[column]) {
      edits.push({ mark: ' ', line: before[row]! });
      row += 1;
      column += 1;
    } else if (lengths[at + width]! >= lengths[at + 1]!) edits.push(removed[row++]!);
    else edits.push(added[column++]!);
  }
  return [...edits, ...removed.slice(row), ...added.slice(column)];
}

/** Ranges of edits around the changes; changes closer than the context share one. */
function findHunks(edits: readonly Edit[]): { start: number; end: number }[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [at, { mark }] of edits.entries()) {
    if (mark === ' ') continue;
    const last = hunks.at(-1);
    const end = Math.min(edits.length, at + CONTEXT + 1);
    if (last !== undefined && at - CONTEXT <= last.end) last.end = end;
    else hunks.push({ start: Math.max(0, at - CONTEXT), end });
  }
  return hunks;
}
