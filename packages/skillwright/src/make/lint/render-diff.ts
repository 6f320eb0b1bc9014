// The difference between two texts as `diff -u` shows it.

import { diffIndices } from 'node-diff3';

const CONTEXT = 3;
const NO_END = '\\ No newline at end of file';
/** Larger differing parts are shown as replaced: comparing them line by line would take too long. */
const MAX_COMPARED = 1000;

/** Lines `start` to `end` of one text that stand in place of lines of the other. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface Change {
  readonly old: Range;
  readonly now: Range;
}

/** A unified diff of one file; empty when nothing differs. */
export function renderDiff(path: string, { before, after }: { before: string; after: string }): string {
  if (before === after) return '';
  const [old, now] = [diffedLines(before), diffedLines(after)];
  const hunks: Change[][] = [];
  for (const change of changesBetween(old, now)) {
    const last = hunks.at(-1);
    // Changes closer than their contexts share a hunk.
    if (last !== undefined && change.old.start - last.at(-1)!.old.end <= 2 * CONTEXT) last.push(change);
    else hunks.push([change]);
  }
  const header = [`--- a/${path}`, `+++ b/${path}`];
  return `${[...header, ...hunks.flatMap((changes) => renderHunk(changes, old, now))].join('\n')}\n`;
}

/** The lines of a text without their line ends; ends other than LF stay visible. */
function diffedLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push(NO_END);
  return lines;
}

function changesBetween(old: readonly string[], now: readonly string[]): Change[] {
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same += 1;
  let tail = 0;
  while (tail < shorter - same && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [before, after] = [old.slice(same, old.length - tail), now.slice(same, now.length - tail)];
  const whole = { buffer1: [0, before.length], buffer2: [0, after.length] } as const;
  const isLarge = before.length * after.length > MAX_COMPARED ** 2;
  return (isLarge ? [whole] : diffIndices(before, after)).map(({ buffer1, buffer2 }) => ({
    old: { start: same + buffer1[0], end: same + buffer1[0] + buffer1[1] },
    now: { start: same + buffer2[0], end: same + buffer2[0] + buffer2[1] },
  }));
}

function renderHunk(changes: readonly Change[], old: readonly string[], now: readonly string[]): string[] {
  const [first, last] = [changes[0]!, changes.at(-1)!];
  const above = Math.min(CONTEXT, first.old.start);
  const end = Math.min(old.length, last.old.end + CONTEXT);
  const shown: string[] = [];
  const show = (mark: string, lines: readonly string[]) =>
    shown.push(...lines.map((line) => (line === NO_END ? line : mark + line)));
  let at = first.old.start - above;
  for (const change of changes) {
    show(' ', old.slice(at, change.old.start));
    show('-', old.slice(change.old.start, change.old.end));
    show('+', now.slice(change.now.start, change.now.end));
    at = change.old.end;
  }
  show(' ', old.slice(at, end));
  const range = (lines: readonly string[], start: number, stop: number) =>
    `${start + 1},${lines.slice(start, stop).filter((line) => line !== NO_END).length}`;
  const oldRange = range(old, first.old.start - above, end);
  const nowRange = range(now, first.now.start - above, last.now.end + end - last.old.end);
  return [`@@ -${oldRange} +${nowRange} @@`, ...shown];
}
