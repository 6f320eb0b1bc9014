// Words of one skill and their weights. The weights depend on the skill alone, so that they can be cached with its
// content.

import { hashPair } from '../../base/words/index.ts';
import { createTermTable, enlarge, type TermTable } from './term-table.ts';
import { createTextReader, type TextWords } from './text-words.ts';

/** The texts of a skill. */
interface SkillTexts {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The body after the frontmatter. */
  readonly body: string;
}

/** Calls `visit` for every word of a skill, with its number and a weight from 1 to 255. */
type WordReader = (texts: SkillTexts, visit: (term: number, weight: number) => void) => void;

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

type Field = (typeof fields)['name'];

/** Weight of this many mentions in a field of this many words. */
function worthIn({ weight, length, dilution, most }: Field, words: number): (mentions: number) => number {
  const worth = weight / (1 - dilution + (dilution * words) / length);
  return (mentions) => Math.min(mentions * worth, most);
}

/** Only this many characters of a body are read: the subject comes up early. */
const MAX_BODY = 64 * 1024;

/** Creates a reader that numbers the words of skills by a table. */
export function createWordReader(terms: TermTable): WordReader {
  const { read, beginningOf } = createTextReader(terms);
  // Counts by word number, and the numbers with a count above zero.
  let sums = new Float32Array(0);
  let found: Int32Array = new Int32Array(1024);
  let count = 0;
  const add = (term: number, weight: number): void => {
    if (term >= sums.length) {
      const larger = new Float32Array(1.5 * terms.size);
      larger.set(sums);
      sums = larger;
    }
    if (sums[term] === 0) {
      if (count === found.length) found = enlarge(found, 2 * count);
      found[count++] = term;
    }
    sums[term] = (sums[term] as number) + weight;
  };
  const addField = (words: TextWords, field: Field): void => {
    const worth = worthIn(field, words.length);
    for (let at = 0; at < words.distinctLength; at++) {
      const term = words.distinct[at] as number;
      add(term, worth(words.counts[term] as number));
    }
  };
  const addBody = (words: TextWords): void => {
    const worth = worthIn(fields.body, words.length);
    const headingWorth = worthIn(fields.headings, words.headingLength);
    for (let at = 0; at < words.distinctLength; at++) {
      const term = words.distinct[at] as number;
      add(term, worth(words.counts[term] as number) + headingWorth(words.headingCounts[term] as number));
    }
  };
  /** Pairs and prefixes count once. */
  const addOnce = (hash: number): void => {
    const term = terms.numberOf(hash);
    if (term >= sums.length || sums[term] === 0) add(term, 1);
  };
  const addPairs = ({ order, length }: TextWords): void => {
    for (let next = 1; next < length; next++)
      addOnce(hashPair(terms.hashOf(order[next - 1] as number), terms.hashOf(order[next] as number)));
  };
  const addBeginnings = ({ order, length }: TextWords): void => {
    for (let at = 0; at < length; at++) {
      const beginning = beginningOf(order[at] as number);
      if (beginning !== 0) addOnce(beginning);
    }
  };
  return ({ name, description, tags, body }, visit) => {
    const split = splitName(name);
    const nameWords = read(split);
    addBeginnings(nameWords);
    addPairs(nameWords);
    addField(split === name ? nameWords : read(`${split} ${name}`), fields.name);
    const descriptionWords = read(description);
    addBeginnings(descriptionWords);
    addPairs(descriptionWords);
    addField(descriptionWords, fields.description);
    const tagWords = read(tags.join(' '));
    addBeginnings(tagWords);
    addField(tagWords, fields.tags);
    addBody(read(body.slice(0, MAX_BODY)));
    for (let at = 0; at < count; at++) {
      const term = found[at] as number;
      visit(term, Math.min(255, Math.max(1, Math.round((sums[term] as number) * WEIGHT_UNIT))));
      sums[term] = 0;
    }
    count = 0;
  };
}

/** Rises when words are split, stemmed or weighed differently: stored ones are renewed then. */
export const WORDS_VERSION = 2;

/** A word of a skill by its hash, with its weight from 1 to 255. */
export interface WeighedWord {
  readonly hash: number;
  readonly weight: number;
}

/** Words after which a new table is begun; it bounds the memory of a process that weighs skills for ever. */
const MAX_TERMS = 2 ** 19;

/** Weighs the words of skills, one after another, as the search of a catalog does. */
export function createWordWeigher(): (texts: SkillTexts) => WeighedWord[] {
  let terms = createTermTable();
  let read = createWordReader(terms);
  return (texts) => {
    if (terms.size > MAX_TERMS) {
      terms = createTermTable();
      read = createWordReader(terms);
    }
    const words: WeighedWord[] = [];
    read(texts, (term, weight) => words.push({ hash: terms.hashOf(term), weight }));
    return words;
  };
}

/** A name as words: `AI2sql` is also "AI 2 sql", `parseHTMLPage` "parse HTML Page". */
function splitName(name: string): string {
  return name
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ');
}
