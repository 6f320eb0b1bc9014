// The rules about the outline of SKILL.md: its title, its levels, its code blocks.

import { foldText } from '../../../base/markdown/index.ts';
import { quoteText } from '../quote-text.ts';
import type { Rule } from '../rule.ts';

/** The rules about headings. */
export const headingRules: readonly Rule[] = [
  {
    id: 'SKL202',
    name: 'heading-h1',
    severity: 'warning',
    summary: 'The body of SKILL.md has an H1 heading.',
    check({ markdown, parts }) {
      if (markdown().headings.some(({ level, nested }) => level === 1 && !nested)) return [];
      const help = "start the body with a title, as in '# My Skill'";
      return [{ message: 'the body has no H1 heading', line: parts.bodyLine, help }];
    },
  },
  {
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
  },
  {
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
  },
  {
    id: 'SKL205',
    name: 'heading-hierarchy',
    severity: 'warning',
    summary: 'A heading is at most one level below the heading before it.',
    check({ markdown }) {
      const headings = markdown().headings.filter(({ nested }) => !nested);
      return headings.flatMap(({ level, text, line }, at) => {
        const above = headings[at - 1]?.level;
        if (above === undefined || level <= above + 1) return [];
        const message = `the heading ${quoteText(text)} is an H${level} right below an H${above}`;
        const help = `make it an H${above + 1}, or put the missing heading between the two`;
        return [{ message, line, help }];
      });
    },
  },
  {
    id: 'SKL206',
    name: 'code-block-language',
    // Many blocks are plain output.
    severity: 'off',
    summary: 'Every fenced code block in SKILL.md names its language.',
    check({ markdown }) {
      const help = "name it after the opening fence, as in '```bash', or write '```text'";
      return markdown().codeBlocks.flatMap(({ language, line }) =>
        language === '' ? [{ message: 'the code block has no language', line, help }] : [],
      );
    },
  },
];

/** Titles and names are short; longer ones are compared by their beginning. */
const MAX_COMPARED = 200;

/** Titles in other languages and scripts share no words with a name, which is ASCII and mostly English. */
const FOREIGN_LETTER = /(?![a-z])\p{L}/iu;
/** In a name, a digit stands for a word or for letters: `b2b`, `2fa`, `a11y`. */
const DIGIT = /\d/;

function resembles(title: string, name: string): boolean {
  const [titleWords, nameWords] = [comparedWords(title), comparedWords(name)];
  const [titleTerms, nameTerms] = [titleWords.filter(isSignificant), nameWords.filter(isSignificant)];
  if (titleTerms.length === 0 || nameTerms.length === 0) return true;
  if (FOREIGN_LETTER.test(title) || DIGIT.test(name)) return true;
  if (titleTerms.some((term) => nameTerms.some((other) => isAkin(term, other)))) return true;
  const [squeezedTitle, squeezedName] = [titleWords.join(''), nameWords.join('')];
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

const isSignificant = (word: string) => !insignificant.has(word);

/** The same word, two forms of one ("creator", "creating"), or a part of a compound ("webapp", "app"). */
function isAkin(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return true;
  return short.length >= 4 && long.startsWith(short.slice(0, 4));
}

/** True if a term has the initials of neighbouring words: "tdd" of "test driven development". A plural may follow. */
function isAbbreviated(terms: readonly string[], words: readonly string[]): boolean {
  const initials = words.map((word) => word[0]).join('');
  const isOfInitials = (term: string) => term.length >= 2 && initials.includes(term);
  return terms.some((term) => isOfInitials(term) || (term.endsWith('s') && isOfInitials(term.slice(0, -1))));
}
