// Makes text from outside safe for a terminal before anything is coloured, so that every escape code that reaches the
// terminal is our own.

import { makeVisible } from '../../base/diagnostics/index.ts';

/** The text with every control character visible, apart from line ends and tabs. It must not have been painted yet. */
export function terminalText(text: string): string {
  // Most texts have no control characters.
  if (!CONTROLS.test(text)) return text;
  return text.replace(PARTS, (part) => (part === '\r\n' ? part : makeVisible(part)));
}

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

const CONTROLS = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;
const PARTS = /\r\n|[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;
