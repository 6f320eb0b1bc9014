// SKL203: the title is about its skill.

import { foldText } from '../../../base/markdown/index.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

/** Reports a first H1 that has no word in common with the skill's name or directory. */
export const headingMatchName = defineRule({
  id: 'SKL203',
  name: 'heading-match-name',
  severity: 'warning',
  summary: 'The first H1 of SKILL.md shares a word with the name of the skill.',
  *check({ data, directoryName, markdown }) {
    const title = markdown.headings.find(({ level, nested }) => level === 1 && !nested);
    if (title === undefined) return;
    const name = typeof data.name === 'string' && data.name !== '' ? data.name : directoryName;
    if (resembles(title.text, name) || resembles(title.text, directoryName)) return;
    yield {
      message: `the title ${quoteText(title.text)} has nothing in common with the name ${quoteText(name)}`,
      line: title.line,
      help: 'name the skill in its title',
    };
  },
});

/** Titles and names are short; longer ones are compared by their beginning. */
const MAX_COMPARED = 200;

/** Titles in other languages and scripts share no words with a name, which is ASCII and mostly English. */
const FOREIGN_LETTER = /(?![a-z])\p{L}/iu;

function resembles(title: string, name: string): boolean {
  const titleWords = wordsOf(title);
  const nameWords = wordsOf(name);
  const titleTerms = titleWords.filter(isSignificant);
  const nameTerms = nameWords.filter(isSignificant);
  if (titleTerms.length === 0 || nameTerms.length === 0 || FOREIGN_LETTER.test(title)) return true;
  if (titleTerms.some((term) => nameTerms.some((other) => isAkin(term, other)))) return true;
  const squeezedTitle = titleWords.join('');
  const squeezedName = nameWords.join('');
  if (squeezedTitle.includes(squeezedName) || squeezedName.includes(squeezedTitle)) return true;
  return isAbbreviated(nameTerms, titleWords) || isAbbreviated(titleTerms, nameWords);
}

/** Numbers as they are spelt in titles and shortened in names: "2fa", "b2b", "Two-Factor". */
const digits: ReadonlyMap<string, string> = new Map(
  'zero one two three four five six seven eight nine ten'
    .split(' ')
    .map((word, number) => [word, String(number)] as const),
);

function wordsOf(text: string): string[] {
  const spaced = text.slice(0, MAX_COMPARED).replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ');
  return (foldText(spaced).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => digits.get(word) ?? word);
}

const insignificant: ReadonlySet<string> = new Set(
  'a an and by for from guide how in of on or skill skills the this to use using with your'.split(' '),
);

function isSignificant(word: string): boolean {
  return !insignificant.has(word);
}

/** The same word, two forms of one ("creator", "creating"), or a part of a compound ("webapp", "app"). */
function isAkin(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return true;
  return (short.length >= 4 && long.startsWith(short.slice(0, 4))) || isNumeronym(short, long);
}

/** "a11y" for "accessibility". */
function isNumeronym(short: string, long: string): boolean {
  return /^\D\d{1,2}\D$/.test(short) && short === `${long[0]}${long.length - 2}${long.at(-1)}`;
}

/**
 * True if a term consists of the beginnings of neighbouring words: "tdd" of "test driven development", "mlops" of
 * "machine learning operations", "b2b" of "business to business".
 */
function isAbbreviated(terms: readonly string[], words: readonly string[]): boolean {
  return terms.some(
    (term) =>
      term.length >= 2 && words.some((_, from) => isMadeOf(term, words.slice(from, from + term.length))),
  );
}

/** Whether a term consists of the beginnings of at least two words, used in order from the first on; a plural may follow. */
function isMadeOf(term: string, words: readonly string[]): boolean {
  // Positions in the term that the words so far can reach.
  let reached = new Set([0]);
  for (const [index, word] of words.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (spokenDigit(word) === term[at]) next.add(at + 1);
      for (let length = 1; length <= word.length && word[length - 1] === term[at + length - 1]; length++)
        next.add(at + length);
    }
    const isWhole = next.has(term.length) || (term.endsWith('s') && next.has(term.length - 1));
    if (index > 0 && isWhole) return true;
    if (next.size === 0) return false;
    reached = next;
  }
  return false;
}

/** "b2b", "text2sql", "k4k": a digit for a word that sounds like it. */
function spokenDigit(word: string): string | undefined {
  return word === 'to' || word === 'too' ? '2' : word === 'for' ? '4' : undefined;
}
