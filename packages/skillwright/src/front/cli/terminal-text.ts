// Makes text from outside safe for a terminal before anything is coloured, so that every escape code that reaches the
// terminal is our own, and wraps our own text between words.

import { UNSEEN } from '../../base/diagnostics/index.ts';
import { widthOf } from '../commands/index.ts';

/**
 * The text with every character visible that a reader would not see, apart from line ends and tabs, in escapes that JSON has
 * too. It must not have been painted yet.
 */
export function terminalText(text: string): string {
  return text.replace(PARTS, (part) =>
    /^(?:\r?\n|\t)$/.test(part) ? part : part.replace(/[\s\S]/g, escapeUnit),
  );
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A result with `terminalText` applied to all its texts and field names. */
export function terminalValue<Value>(value: Value): Value {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return terminalText(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [terminalText(key), visit(item)]));
  };
  return visit(value) as Value;
}

const PARTS = new RegExp(`\\r\\n|${UNSEEN.source}`, 'gu');

/**
 * Breaks long lines between words, where a terminal would break them anywhere. The rest of a line goes below its text, not
 * below its label. Commands and paths stay whole, so that they can be copied.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (shownWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

const COLOURS = /\u001b\[[0-9;]*m/g;

const shownWidth = (text: string) => widthOf(text.replace(COLOURS, ''));

function wrapLine(line: string, columns: number): string {
  const plain = line.replace(COLOURS, '');
  if (/^\s*skc /.test(plain)) return line;
  const [start = ''] = /^\s*(?:\S+(?: \S+)* {2,})?/.exec(plain) ?? [];
  const indent = widthOf(start) <= columns / 2 ? start : (/^\s*/.exec(plain)?.[0] ?? '');
  const lines = [''];
  let width = 0;
  for (const [word] of line.matchAll(/\s*(?:'skc [^']*'\S*|\S+)/g)) {
    const wanted = shownWidth(word);
    if (width + wanted <= columns || width <= widthOf(indent)) lines.push(`${lines.pop()}${word}`);
    else lines.push(' '.repeat(widthOf(indent)) + word.trimStart());
    width = shownWidth(lines.at(-1)!);
  }
  return lines.join('\n');
}
