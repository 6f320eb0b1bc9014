// The rules about the outline of SKILL.md: its title, its levels, its code blocks.

import { foldText } from '../../../base/markdown/index.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

/** SKL202: a body without an H1. */
export const headingH1 = defineRule({
  id: 'SKL202',
  name: 'heading-h1',
  severity: 'warning',
  summary: 'The body of SKILL.md has an H1 heading.',
  check({ markdown, parts }) {
    if (markdown().headings.some(({ level, nested }) => level === 1 && !nested)) return [];
    const help = "start the body with a title, as in '# My Skill'";
    return [{ message: 'the body has no H1 heading', line: parts.bodyLine, help }];
  },
});

/** SKL203: a first H1 that has no word in common with the skill's name or directory. */
export const headingMatchName = defineRule({
  id: 'SKL203',
  name: 'heading-match-name',
  severity: 'warning',
  summary: 'The first H1 of SKILL.md shares a word with the name of the skill.',
  check({ frontmatter, directoryName, markdown }) {
    const title = markdown().headings.find(({ level, nested }) => level === 1 && !nested);
    if (title === undefined) return [];
    const written = frontmatter.name;
    const name = typeof written === 'string' && written !== '' ? written : directoryName;
    if (resembles(title.text, name) || resembles(title.text, directoryName)) return [];
    const message = `the title ${quoteText(title.text)} has nothing in common with the name ${quoteText(name)}`;
    return [{ message, line: title.line, help: 'name the skill in its title' }];
  },
});

/** Titles and names are short; longer ones are compared by their beginning. */
const MAX_COMPARED = 200;

/** Titles in other languages and scripts share no words with a name, which is ASCII and mostly English. */
const FOREIGN_LETTER = /(?![a-z])\p{L}/iu;
/** In a name, a digit stands for a word or for letters: `b2b`, `2fa`, `a11y`. */
const DIGIT = /\d/;

function resembles(title: string, name: string): boolean {
  const titleWords = comparedWords(title);
  const nameWords = comparedWords(name);
  const titleTerms = titleWords.filter(isSignificant);
  const nameTerms = nameWords.filter(isSignificant);
  if (titleTerms.length === 0 || nameTerms.length === 0) return true;
  if (FOREIGN_LETTER.test(title) || DIGIT.test(name)) return true;
  if (titleTerms.some((term) => nameTerms.some((other) => isAkin(term, other)))) return true;
  const squeezedTitle = titleWords.join('');
  const squeezedName = nameWords.join('');
  if (squeezedTitle.includes(squeezedName) || squeezedName.includes(squeezedTitle)) return true;
  return isAbbreviated(nameTerms, titleWords) || isAbbreviated(titleTerms, nameWords);
}

function comparedWords(text: string): string[] {
  const spaced = text.slice(0, MAX_COMPARED).replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ');
  return foldText(spaced).match(/[\p{L}\p{N}]+/gu) ?? [];
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
  return short.length >= 4 && long.startsWith(short.slice(0, 4));
}

/** True if a term consists of the beginnings of neighbouring words: "tdd" of "test driven development". */
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
    for (const at of reached)
      for (let length = 1; length <= word.length && word[length - 1] === term[at + length - 1]; length++)
        next.add(at + length);
    const isWhole = next.has(term.length) || (term.endsWith('s') && next.has(term.length - 1));
    if (index > 0 && isWhole) return true;
    if (next.size === 0) return false;
    reached = next;
  }
  return false;
}

/** SKL204: a first heading that is not an H1. */
export const headingFirstH1 = defineRule({
  id: 'SKL204',
  name: 'heading-first-h1',
  severity: 'warning',
  summary: 'The first heading of SKILL.md is an H1.',
  check({ markdown }) {
    const { headings } = markdown();
    const first = headings.find(({ nested }) => !nested);
    if (first === undefined || first.level === 1) return [];
    // Without any H1 there is one problem, and heading-h1 reports it.
    if (!headings.some(({ level }) => level === 1)) return [];
    const message = `the first heading, ${quoteText(first.text)}, is an H${first.level}`;
    return [{ message, line: first.line, help: 'put the H1 title before every other heading' }];
  },
});

/** SKL205: headings more than one level below the heading before them. */
export const headingHierarchy = defineRule({
  id: 'SKL205',
  name: 'heading-hierarchy',
  severity: 'warning',
  summary: 'A heading is at most one level below the heading before it.',
  check({ markdown }) {
    let above: number | undefined;
    return markdown().headings.flatMap(({ level, text, line, nested }) => {
      if (nested) return [];
      const before = above;
      above = level;
      if (before === undefined || level <= before + 1) return [];
      const message = `the heading ${quoteText(text)} is an H${level} right below an H${before}`;
      const help = `make it an H${before + 1}, or put the missing heading between the two`;
      return [{ message, line, help }];
    });
  },
});

/** SKL206: fenced code blocks without a language. Off unless switched on: many blocks are plain output. */
export const codeBlockLanguage = defineRule({
  id: 'SKL206',
  name: 'code-block-language',
  severity: 'off',
  summary: 'Every fenced code block in SKILL.md names its language.',
  check({ markdown }) {
    const help = "name it after the opening fence, as in '```bash', or write '```text'";
    return markdown().codeBlocks.flatMap(({ language, line }) =>
      language === '' ? [{ message: 'the code block has no language', line, help }] : [],
    );
  },
});
