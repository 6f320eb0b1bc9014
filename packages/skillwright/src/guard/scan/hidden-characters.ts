// Finds invisible characters, reads what they spell, and removes them from the text.

/** A run of invisible characters. */
export interface HiddenRun {
  /** Offset in the original text. */
  readonly index: number;
  readonly kind: 'tags' | 'zero-width' | 'bidi' | 'variation';
  readonly length: number;
  /** The text that the run spells, if it can be decoded. */
  readonly decoded?: string;
}

/** The visible text, and what was hidden in it. Line breaks keep their place. */
interface VisibleText {
  readonly text: string;
  readonly hidden: readonly HiddenRun[];
}

const suspects = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e01ef}]/u;
const runs =
  /(?:\u{1f3f4})?[\u{e0000}-\u{e007f}]+|[\u{e0100}-\u{e01ef}]+|[\u202a-\u202e\u2066-\u2069]+|[\u00ad\u180e\u200b-\u200f\u2060-\u2065\ufeff]+/gu;

/** Removes the invisible characters from a text. */
export function revealHidden(text: string): VisibleText {
  if (!suspects.test(text)) return { text, hidden: [] };
  const hidden: HiddenRun[] = [];
  const visible = text.replace(runs, (run: string, index: number) => {
    const found = describeRun(run, { text, index });
    if (found !== undefined) hidden.push(found);
    return run.startsWith('\u{1f3f4}') ? '\u{1f3f4}' : '';
  });
  return { text: visible, hidden };
}

function describeRun(run: string, place: { text: string; index: number }): HiddenRun | undefined {
  const { text, index } = place;
  const first = run.codePointAt(0)!;
  if (first === 0x1f3f4) {
    // Regional flags consist of a black flag and a few tag characters.
    const tags = [...run].slice(1);
    return tags.length <= 7
      ? undefined
      : { index, kind: 'tags', length: tags.length, decoded: readTags(tags) };
  }
  if (first >= 0xe0100) {
    const letters = [...run];
    return letters.length < 4
      ? undefined
      : { index, kind: 'variation', length: letters.length, decoded: readSelectors(letters) };
  }
  if (first >= 0xe0000) {
    const letters = [...run];
    return { index, kind: 'tags', length: letters.length, decoded: readTags(letters) };
  }
  if (/[\u202a-\u202e\u2066-\u2069]/.test(run)) return { index, kind: 'bidi', length: run.length };
  if (run.length >= 8) {
    const decoded = readBits(run);
    return { index, kind: 'zero-width', length: run.length, ...(decoded === undefined ? {} : { decoded }) };
  }
  if (run.length >= 4) return { index, kind: 'zero-width', length: run.length };
  // Joiners belong in emoji and in several scripts; between two ASCII letters they only split a word.
  const before = text[index - 1] ?? '';
  const after = text[index + run.length] ?? '';
  const splits = /[a-z0-9]/i.test(before) && /[a-z0-9]/i.test(after) && !run.includes('\u00ad');
  return splits ? { index, kind: 'zero-width', length: run.length } : undefined;
}

const readTags = (letters: readonly string[]): string =>
  letters
    .map((letter) => letter.codePointAt(0)! - 0xe0000)
    .filter((code) => code >= 0x20 && code < 0x7f)
    .map((code) => String.fromCharCode(code))
    .join('');

const readSelectors = (letters: readonly string[]): string =>
  Buffer.from(letters.map((letter) => letter.codePointAt(0)! - 0xe0100 + 16)).toString('utf8');

/** Reads two kinds of characters as the bits of ASCII letters; either kind may be the 1. */
function readBits(run: string): string | undefined {
  const kinds = [...new Set(run)];
  if (kinds.length < 2 || kinds.length > 3) return undefined;
  for (const [zero, one] of [
    [kinds[0], kinds[1]],
    [kinds[1], kinds[0]],
  ]) {
    const bits = [...run].filter((letter) => letter === zero || letter === one);
    const bytes: number[] = [];
    for (let at = 0; at + 8 <= bits.length; at += 8) {
      const byte = bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + (bit === one ? 1 : 0), 0);
      bytes.push(byte);
    }
    if (bytes.length > 0 && bytes.every((byte) => byte >= 0x20 && byte < 0x7f))
      return String.fromCharCode(...bytes);
  }
  return undefined;
}
