// What a terminal is given: text of skills is shown there as it was written, and cannot command it.

import { makeVisible } from '../../base/diagnostics/index.ts';

/** The text with every control character visible, apart from line ends, tabs and the colours of our own output. */
export function terminalText(text: string): string {
  // Most texts have nothing to hide.
  if (!CONTROLS.test(text)) return text;
  return text.replace(PARTS, (part) => (part.length > 1 ? part : makeVisible(part)));
}

const CONTROLS = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;
const PARTS = /\r\n|\u001b\[\d{1,2}m|[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;
