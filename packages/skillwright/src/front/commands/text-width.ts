// Width of text on a terminal, and wrapping by it: wide characters and emoji take two columns, combining marks none.

/** Longer than any emoji sequence; a letter with more marks would draw over its neighbours. */
const MAX_CLUSTER = 32;

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as a reader counts them. */
export function splitCharacters(text: string): string[] {
  if (isPlain(text)) return [...text];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) =>
    segment.length > MAX_CLUSTER ? segment.slice(0, MAX_CLUSTER).toWellFormed() : segment,
  );
}

/** The columns a text takes. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  return splitCharacters(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

/** The text, or as much of it as fits with an ellipsis. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (isPlain(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`;
  const kept: string[] = [];
  let width = 0;
  // Room for the text if an ellipsis follows.
  let fitting = 0;
  for (const character of splitCharacters(text)) {
    width += characterWidth(character);
    if (width > columns) return `${kept.slice(0, fitting).join('').trimEnd()}…`;
    kept.push(character);
    if (width < columns) fitting = kept.length;
  }
  return kept.join('');
}

/** The end of a path, as much as fits behind an ellipsis: its last names tell paths apart. */
export function cutPathToWidth(path: string, columns: number): string {
  if (widthOf(path) <= columns) return path;
  const characters = splitCharacters(path);
  let width = 1;
  let start = characters.length;
  while (start > 0 && width + characterWidth(characters[start - 1]!) <= columns)
    width += characterWidth(characters[--start]!);
  return columns <= 0 ? '' : `…${characters.slice(start).join('')}`;
}

/** The text padded to a width; wider text is unchanged. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);

function characterWidth(character: string): 0 | 1 | 2 {
  if (/^[\p{Mn}\p{Me}\p{Cf}]*$/u.test(character)) return 0;
  if (/\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u.test(character)) return 2;
  return isWide(character.codePointAt(0)!) ? 2 : 1;
}

/** First and last characters of the scripts that are two columns wide. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return code >= 0x1100 && wideRanges.some(([first, last]) => code >= first && code <= last);
}

/** Wraps the text at `columns`; text beyond `lines` ends in an ellipsis. */
export function wrapText(text: string, { columns, lines }: { columns: number; lines: number }): string[] {
  if (columns <= 0 || lines <= 0) return [];
  const words = text.split(/\s+/).filter(Boolean);
  // Nothing to measure, as for every reader but a terminal.
  if (columns === Number.POSITIVE_INFINITY) return words.length === 0 ? [] : [words.join(' ')];
  const wrapped: string[] = [];
  let line = '';
  const pieces = words.flatMap((word) => (widthOf(word) > columns ? breakWord(word, columns) : [word]));
  for (const [index, piece] of pieces.entries()) {
    const longer = line === '' ? piece : `${line} ${piece}`;
    if (widthOf(longer) <= columns) {
      line = longer;
    } else if (wrapped.length === lines - 1) {
      return [...wrapped, cutToWidth(`${line} ${pieces.slice(index, index + columns).join(' ')}`, columns)];
    } else {
      wrapped.push(line);
      line = piece;
    }
  }
  return line === '' ? wrapped : [...wrapped, line];
}

/** Scripts without spaces, and very long words, break anywhere. */
function breakWord(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of splitCharacters(word)) {
    if (piece !== '' && widthOf(piece + character) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? pieces : [...pieces, piece];
}
