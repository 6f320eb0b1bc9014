// Names and tags that look like another: other scripts, other case, invisible characters, odd hyphens.

import { foldText } from '../../base/markdown/index.ts';

/**
 * Small letters of other alphabets by the ASCII letter they resemble. A letter may appear in several rows: its capital
 * can resemble a different letter. The row that it resembles itself comes first.
 */
const rows = `
u υսμцᴜи
v νѵᴠυ
n пνηոɴи
a аɑαᴀａ
b вьβᴃʙƅ
c сᴄϲҫς
d ԁԃɗđᴅ
e еεҽєᴇɛ
f ғƒꜰ
g ɡԍցɢ
h һнηհԋħʜ
i іιıɩɪӏ
j јϳյᴊ
k кκᴋҝ
l ӏιłɩʟ
m мμᴍ
o оοσօøᴏө
p рρᴘ
q ԛզգ
r гᴦʀя
s ѕꜱʂ
t тτᴛŧ
w ѡωԝшᴡ
x хχ
y уυүγʏ
z ζᴢʐʒ
`;

const passesFor = new Map<string, string>();
for (const row of rows.trim().split('\n')) {
  const [letter, others] = row.split(' ') as [string, string];
  for (const other of others) passesFor.set(other, (passesFor.get(other) ?? '') + letter);
}
for (const [ligature, letters] of [
  ['æ', 'ae'],
  ['ӕ', 'ae'],
  ['œ', 'oe'],
] as const)
  passesFor.set(ligature, letters);

const ligatures = /[æӕœ]/g;
const ignorable = /[\p{Cf}\p{Mn}\p{Me}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const ascii = /^[\x20-\x7e]*$/;

/** Normalises a name for comparison: ignores case, accents, composition, invisible characters and the kind of hyphen. */
export function foldName(name: string): string {
  if (ascii.test(name))
    return name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
  const letters = foldText(name.normalize('NFKD').replace(ignorable, '')).normalize('NFKD');
  return letters
    .replace(ignorable, '')
    .replace(ligatures, (ligature) => passesFor.get(ligature)!)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/**
 * The shape of a name: of two names with the same skeleton a registry refuses the second. Registries store skeletons, so
 * those of names in ASCII never change.
 */
export function nameSkeleton(name: string): string {
  return [...foldName(name).replaceAll('-', '')]
    .map((letter) => readings(letter)[0] ?? letter)
    .join('')
    .replace(/[il]/g, '1')
    .replaceAll('o', '0')
    .replaceAll('rn', 'm');
}

/**
 * Whether a reader could mistake `name` for `known`. A letter missing from every table matches any letter when most
 * of the name is ASCII, because mixing scripts within a name has no good reason.
 */
export function looksLike(known: string, name: string): boolean {
  const [wanted, found] = [[...foldName(known)], [...foldName(name)]];
  if (wanted.length !== found.length) return false;
  const plain = found.filter((letter) => letter <= '\x7f').length;
  const mixed = plain < found.length && plain * 2 > found.length;
  return wanted.every((letter, at) => {
    const other = found[at]!;
    return (
      letter === other ||
      readings(other).includes(letter) ||
      readings(letter).includes(other) ||
      (mixed && other > '\x7f' && !passesFor.has(other))
    );
  });
}

/** The one of `words` that a text begins with, or seems to, counting only letters and digits. */
export function beginsLike(words: readonly string[], text: string): string | undefined {
  const longest = Math.max(...words.map((word) => word.length));
  // Marks may appear between any two letters. A text with more marks than this is cut.
  const letters = [...foldName(text.slice(0, 4 * longest)).replaceAll('-', '')];
  return words.find((word) => {
    const own = letters.slice(0, word.length);
    const plain = own.filter((letter) => letter <= '\x7f').length;
    return (
      own.length === word.length &&
      own.every((letter, at) => {
        const wanted = word[at]!;
        if (letter === wanted || readings(letter).includes(wanted)) return true;
        return letter > '\x7f' && !passesFor.has(letter) && plain * 2 > word.length;
      })
    );
  });
}

const readings = (letter: string): string => passesFor.get(letter) ?? '';

const lookAlikes = new RegExp(`[${[...passesFor.keys()].join('')}]`, 'iu');

/** Words that mix ASCII letters with letters that resemble one. */
const mixedWord = /(?=[^\s]{0,40}[a-z])[\p{L}\p{N}_-]{2,40}/giu;

/** Replaces letters that resemble ASCII ones in words of mixed scripts. Same length in code points. */
export function unmaskLetters(text: string): string {
  if (!lookAlikes.test(text)) return text;
  return text.replace(mixedWord, (word) =>
    ascii.test(word) || !/[a-z]/i.test(word)
      ? word
      : word.replace(/[^\x00-\x7f]/gu, (letter) => readings(letter.toLowerCase())[0] ?? letter),
  );
}
