// Finds text hidden in an encoding and decodes it, one level deep.

/** A decoded piece of a text. */
interface DecodedBlob {
  /** Offset of the encoded text. */
  readonly index: number;
  readonly encoding:
    | 'base64'
    | 'hex'
    | 'character codes'
    | 'percent encoding'
    | 'escapes'
    | 'rot13'
    | 'reversed text';
  readonly text: string;
}

const MAX_BLOBS = 100;
const MAX_ENCODED = 256 * 1024;
const MIN_BASE64 = 24;

/** Every part of a text that decodes to readable text. Some encodings count only inside code. */
export function decodeBlobs(text: string, options: { isCode: boolean }): DecodedBlob[] {
  const blobs: DecodedBlob[] = [];
  const add = (index: number, encoding: DecodedBlob['encoding'], bytes: Buffer | string): void => {
    if (blobs.length >= MAX_BLOBS) return;
    const decoded = readable(bytes);
    if (decoded !== undefined) blobs.push({ index, encoding, text: decoded });
  };
  for (const { index, run } of alphabetRuns(text)) {
    if (run.length % 2 === 0 && /^[0-9a-f]+$/i.test(run)) add(index, 'hex', Buffer.from(run, 'hex'));
    else add(index, 'base64', Buffer.from(run.replaceAll('-', '+').replaceAll('_', '/'), 'base64'));
  }
  for (const { needs, encoding, pattern, decode } of options.isCode ? spellings : writtenOut) {
    if (!needs.some((need) => text.includes(need))) continue;
    for (const match of text.matchAll(pattern)) add(match.index, encoding, decode(match[0], match[1] ?? ''));
  }
  return blobs;
}

const numbersIn = (text: string): number[] =>
  (text.match(/0x[0-9a-f]{1,2}|\d{1,3}/gi) ?? []).map(Number).filter((value) => value < 256);

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

const spellings: readonly {
  needs: readonly string[];
  encoding: DecodedBlob['encoding'];
  pattern: RegExp;
  decode(whole: string, inner: string): Buffer | string;
}[] = [
  {
    needs: ['\\x', '\\u00'],
    encoding: 'escapes',
    pattern: /(?:\\{1,2}(?:x|u00)[0-9a-f]{2}){6,4000}/gi,
    decode: (whole) => Buffer.from(whole.replace(/\\+(?:x|u00)/gi, ''), 'hex'),
  },
  {
    needs: ['\\1'],
    encoding: 'escapes',
    pattern: /(?:\\[01]?[0-7]{2}){6,4000}/g,
    decode: (whole) =>
      Buffer.from(
        whole
          .split('\\')
          .slice(1)
          .map((digits) => Number.parseInt(digits, 8)),
      ),
  },
  {
    needs: ['%'],
    encoding: 'percent encoding',
    pattern: /(?:%[0-9a-f]{2}[a-z0-9./:_-]{0,3}){8,4000}/gi,
    decode: (whole) =>
      whole.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))),
  },
  {
    needs: [
      'fromCharCode',
      'chr(',
      'bytes(',
      'bytearray(',
      'Uint8Array',
      'Buffer.from(',
      'charCode',
      '[char]',
    ],
    encoding: 'character codes',
    pattern: /(?:(?:0x[0-9a-f]{2}|\b\d{2,3})[ \t]{0,2},[ \t\n]{0,4}){8,4000}(?:0x[0-9a-f]{2}|\d{2,3})/gi,
    decode: (whole) => Buffer.from(numbersIn(whole)),
  },
  {
    needs: ['chr(', 'Chr(', 'CHR('],
    encoding: 'character codes',
    pattern: /(?:chr\(\d{2,3}\)[ \t]{0,2}[+.&][ \t]{0,2}){5,4000}chr\(\d{2,3}\)/gi,
    decode: (whole) => Buffer.from(numbersIn(whole)),
  },
  {
    needs: ['rot13', 'rot_13', 'ROT13'],
    encoding: 'rot13',
    pattern: /["']([^"'\n]{12,4000})["']/g,
    decode: (_, inner) => rot13(inner),
  },
  {
    needs: ['[::-1]', '.reverse()', 'rev |', '| rev'],
    encoding: 'reversed text',
    pattern: /["']([^"'\n]{12,4000})["']/g,
    decode: (_, inner) => [...inner].reverse().join(''),
  },
];

const writtenOut = spellings.filter(
  ({ encoding }) => encoding === 'escapes' || encoding === 'percent encoding',
);

/**
 * Runs of base64 and hexadecimal characters; wrapped lines of one run are joined. Checks the last character a run would
 * need first, so that most characters of ordinary text are never read.
 */
function* alphabetRuns(text: string): Generator<{ index: number; run: string }> {
  let at = 0;
  while (at + MIN_BASE64 <= text.length) {
    let back = at + MIN_BASE64 - 1;
    while (back >= at && isAlphabet(text.charCodeAt(back))) back--;
    if (back >= at) {
      at = back + 1;
      continue;
    }
    const index = at;
    at = endOfRun(text, at + MIN_BASE64);
    let run = text.slice(index, at);
    // Only full lines of encoder output continue on the next line.
    for (let length = run.length; length >= 60 && run.length < MAX_ENCODED; ) {
      const next = /^\r?\n[ \t]{0,8}/.exec(text.slice(at, at + 10));
      if (next === null) break;
      const start = at + next[0].length;
      const end = endOfRun(text, start);
      length = end - start;
      if (length < 4) break;
      run += text.slice(start, end);
      at = end;
    }
    if (run.length <= MAX_ENCODED) yield { index, run };
  }
}

function endOfRun(text: string, from: number): number {
  let at = from;
  while (at < text.length && isAlphabet(text.charCodeAt(at))) at++;
  return at;
}

const alphabet = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  alphabet[letter.charCodeAt(0)] = 1;

const isAlphabet = (code: number): boolean => code < 128 && alphabet[code] === 1;

/** The decoded text, if a person could have written it. */
function readable(bytes: Buffer | string): string | undefined {
  if (bytes.length < 6) return undefined;
  const text = typeof bytes === 'string' ? bytes : bytes.toString('utf8');
  // Most decoded noise is recognisable by its first characters.
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/.test(text.slice(0, 64))) return undefined;
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/.test(text)) return undefined;
  let plain = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 127) plain++;
  return plain / text.length < 0.9 ? undefined : text;
}
