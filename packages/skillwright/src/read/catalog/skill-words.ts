// Words of one skill and their weights. The weights depend on the skill alone, so that they can be cached with its
// content.

import { hashBeginning, hashPair, scannerFor } from '../../base/words/index.ts';

/** The texts of a skill. */
interface SkillTexts {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The body after the frontmatter. */
  readonly body: string;
}

/** Rises when words are split, stemmed or weighed differently: stored ones are renewed then. */
export const WORDS_VERSION = 3;

/** Scale of the weights: one mention in a description of typical length. */
export const WEIGHT_UNIT = 16;

/**
 * Weight of a mention in each field, and the typical length of the field; longer ones dilute. `most` limits the total
 * for a word in a field: repetition does not make a skill better.
 */
const fields = {
  name: { weight: 3, length: 3, dilution: 0, most: 3 },
  description: { weight: 1, length: 20, dilution: 0.4, most: 2.5 },
  tags: { weight: 1.5, length: 4, dilution: 0.2, most: 1.5 },
  headings: { weight: 0.7, length: 20, dilution: 0.4, most: 1.5 },
  body: { weight: 0.25, length: 400, dilution: 0.6, most: 1 },
};

/** Only this many characters of a body are read: the subject comes up early. */
const MAX_BODY = 64 * 1024;

/** Words after which a new table is begun: a registry weighs skills for ever. */
const MAX_WORDS = 2 ** 16;

/**
 * Weighs the words of skills, one after another: calls `visit` for each with its hash and a weight from 1 to 255. Pairs of words
 * and prefixes count once. Words are numbered and counted in
 * arrays that all skills share: tables of their own would be garbage, and three times as much memory.
 */
export function createWordWeigher(): (
  texts: SkillTexts,
  visit: (hash: number, weight: number) => void,
) => void {
  const numbers = new Map<number, number>();
  const known: number[] = [];
  const sums: number[] = [];
  const counts: number[] = [];
  /** Numbers of the words of this skill. */
  const found: number[] = [];
  const add = (number: number, weight: number): void => {
    if (sums[number] === 0) found.push(number);
    sums[number]! += weight;
  };
  const numberOf = (hash: number): number => {
    const number = numbers.get(hash);
    if (number !== undefined) return number;
    numbers.set(hash, known.length);
    sums.push(0);
    counts.push(0);
    return known.push(hash) - 1;
  };
  const addOnce = (hash: number): void => {
    if (hash !== 0 && sums[numberOf(hash)] === 0) add(numberOf(hash), 1);
  };
  const addField = (hashes: readonly number[], { weight, length, dilution, most }: Field): void => {
    const worth = weight / (1 - dilution + (dilution * hashes.length) / length);
    for (const hash of hashes) counts[numberOf(hash)]! += 1;
    for (const hash of hashes) {
      const number = numberOf(hash);
      const mentions = counts[number]!;
      if (mentions > 0) add(number, Math.min(mentions * worth, most));
      counts[number] = 0;
    }
  };
  return ({ name, description, tags, body }, visit) => {
    if (known.length > MAX_WORDS) {
      numbers.clear();
      for (const list of [known, sums, counts]) list.length = 0;
    }
    const split = splitName(name);
    const shown = [split, description, tags.join(' ')].map((text) => {
      const hashes: number[] = [];
      scannerFor('porter')(text, (run) => {
        for (const { term, stop } of run.words) if (!stop) addOnce(hashBeginning(term));
        for (const hash of run.hashes) hashes.push(hash);
      });
      return hashes;
    });
    const [nameWords = [], descriptionWords = [], tagWords = []] = shown;
    for (const hashes of [nameWords, descriptionWords])
      for (let next = 1; next < hashes.length; next++) addOnce(hashPair(hashes[next - 1]!, hashes[next]!));
    addField(split === name ? nameWords : readBody(`${split} ${name}`).all, fields.name);
    addField(descriptionWords, fields.description);
    addField(tagWords, fields.tags);
    const { all, headings } = readBody(body.slice(0, MAX_BODY));
    addField(all, fields.body);
    addField(headings, fields.headings);
    for (const number of found) {
      const weight = Math.round(sums[number]! * WEIGHT_UNIT);
      visit(known[number]!, Math.min(255, Math.max(1, weight)));
      sums[number] = 0;
    }
    found.length = 0;
  };
}

type Field = (typeof fields)['name'];

/**
 * Hashes of the words of a body without stop words, in order, and of those in headings. This only affects weights, and is many
 * times faster than parsing the Markdown of thousands of skills.
 */
export function readBody(text: string): { readonly all: number[]; readonly headings: number[] } {
  const all: number[] = [];
  const headings: number[] = [];
  let fence = '';
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf('\n', from) + 1 || text.length;
    const first = text.charAt(from);
    if ((first === '`' || first === '~') && text.startsWith(first.repeat(3), from))
      fence = fence === '' ? first : fence === first ? '' : fence;
    const isHeading = first === '#' && fence === '';
    scannerFor('porter')(
      text,
      ({ hashes }) => {
        for (const hash of hashes) {
          all.push(hash);
          if (isHeading) headings.push(hash);
        }
      },
      { from, to },
    );
    from = to;
  }
  return { all, headings };
}

/** A name as words: `AI2sql` is also "AI 2 sql", `parseHTMLPage` "parse HTML Page". */
function splitName(name: string): string {
  return name
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ');
}
