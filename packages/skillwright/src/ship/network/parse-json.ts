// Parses untrusted JSON: UTF-8, with limited nesting.

import { decodeText } from '../../base/files/index.ts';

/** Far above any real document. Deeper ones exist to crash parsers. */
const MAX_DEPTH = 100;

/** The value, or the reason it cannot be parsed. */
export function parseJson(body: Uint8Array): { value: unknown; problem?: undefined } | { problem: string } {
  const { text, valid } = decodeText(body);
  if (!valid) return { problem: 'not valid UTF-8' };
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isTooDeep(body)) return { problem: `nested deeper than ${MAX_DEPTH} levels` };
  try {
    return { value: JSON.parse(plain) };
  } catch {
    const start = plain.trimStart();
    if (start === '') return { problem: 'the response is empty' };
    return { problem: start.startsWith('<') ? 'a web page, not JSON' : 'not JSON' };
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

function isTooDeep(body: Uint8Array): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) {
      if (byte === BACKSLASH) at++;
    } else if (opening.has(byte)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (closing.has(byte)) depth -= 1;
  }
  return false;
}
