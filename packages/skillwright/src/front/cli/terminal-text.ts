// What a terminal is given. Text from outside is made harmless before anything is painted, so that every escape code that
// reaches the terminal is our own.

import { makeVisible } from '../../base/diagnostics/index.ts';

/** The text with every control character visible, apart from line ends and tabs. It must not have been painted yet. */
export function terminalText(text: string): string {
  // Most texts have nothing to hide.
  if (!CONTROLS.test(text)) return text;
  return text.replace(PARTS, (part) => (part === '\r\n' ? part : makeVisible(part)));
}

/** A result with all its texts, and the names of its fields, as `terminalText` gives them. */
export function terminalValue<Value>(value: Value): Value {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return terminalText(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [terminalText(key), visit(item)]));
  };
  return visit(value) as Value;
}

const CONTROLS = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;
const PARTS = /\r\n|[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;
