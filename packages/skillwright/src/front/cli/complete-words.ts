// Completes the last word of a line. The scripts of `skc completion` ask here, so all shells offer the same.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  type AnyCommand,
  type CliOption,
  type CommandContext,
  optionNamed,
  optionsOf,
} from '../commands/index.ts';
import { cliTable, currentNames, isCliName } from './cli-table.ts';
import { topicNames } from './help-topics.ts';
import { formatsOf, readWords, takesValue } from './parse-arguments.ts';

/** A word to offer, and a note about it. */
export interface Offer {
  readonly word: string;
  readonly note?: string | undefined;
}

/** Words to offer, and whether the shell should add files. */
export interface Offers {
  readonly words: readonly Offer[];
  readonly files?: boolean;
}

/** The line that asks the shell to add files. No offer starts with a colon. */
const FILES = ':files';

/**
 * Offers for the last of the words after `skc`, one per line: the word, a tab, a note. The words may be quoted as in the
 * shell. Empty if anything is wrong with the line or the skills, because completion must not print errors.
 */
export async function completeWords(
  words: readonly string[],
  open: () => Promise<CommandContext>,
): Promise<string> {
  const { given, current, prefix, mark } = readLine(words);
  try {
    const offers = await offersFor(given, current, open);
    const fitting = offers.words
      .filter(({ word }) => isHarmless(word, mark))
      .filter(({ word }) => word.startsWith(current.value))
      .map(({ word, note }) => `${prefix}${word}${note === undefined ? '' : `\t${withoutControls(note)}`}\n`);
    return `${[...new Set(fitting)].join('')}${offers.files === true ? `${FILES}\n` : ''}`;
  } catch (error) {
    if (error instanceof SkillwrightError) return '';
    throw error;
  }
}

/** The word to complete; for `--flag=value`, the value. */
interface Current {
  readonly flag?: string | undefined;
  readonly value: string;
}

/** The line in parts. `prefix` goes before every offer; `mark` is the quote the word begins with. */
interface Line {
  readonly given: readonly string[];
  readonly current: Current;
  readonly prefix: string;
  readonly mark: string;
}

function readLine(raw: readonly string[]): Line {
  const last = raw.at(-1) ?? '';
  const before = raw.slice(0, -1);
  // Bash splits --flag=value into three words.
  const split = last === '=' ? before.at(-1) : before.at(-1) === '=' ? before.at(-2) : undefined;
  if (split?.startsWith('--')) {
    const given = before.slice(0, last === '=' ? -1 : -2).map(withoutQuotes);
    return {
      given,
      current: { flag: split, value: last === '=' ? '' : withoutQuotes(last) },
      prefix: '',
      mark: quoteMark(last),
    };
  }
  const given = before.map(withoutQuotes);
  const value = withoutQuotes(last);
  const joined = /^(--[a-z][a-z-]*)=(.*)$/s.exec(value);
  if (joined === null) return { given, current: { value }, prefix: '', mark: quoteMark(last) };
  return {
    given,
    current: { flag: joined[1]!, value: joined[2]! },
    prefix: `${joined[1]}=`,
    mark: quoteMark(last),
  };
}

const quoteMark = (word: string) => (/^['"]/.test(word) ? word[0]! : '');

/** A word without shell quotes; an open quote ends with the word. */
function withoutQuotes(word: string): string {
  return word.replace(/'([^']*)(?:'|$)|"((?:\\.|[^"\\])*)(?:"|$)|\\(.)/gs, (_, single, double, escaped) =>
    double === undefined ? (single ?? escaped) : double.replace(/\\([\\"$`])/g, '$1'),
  );
}

/**
 * Whether the word is safe to offer: a single line, and not a directive. Shells quote inserted words, except inside a
 * quote the user opened.
 */
function isHarmless(word: string, mark: string): boolean {
  if (word === '' || word.startsWith(':') || /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(word)) return false;
  return mark === '' || !/['"\\$`!]/.test(word);
}

const withoutControls = (note: string) => note.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ');

const plainOffers = (words: readonly string[]): Offer[] => words.map((word) => ({ word }));

async function offersFor(
  given: readonly string[],
  current: Current,
  open: () => Promise<CommandContext>,
): Promise<Offers> {
  const [name, ...rest] = given.filter((word, index) => index > 0 || !word.startsWith('--'));
  if (name === undefined) {
    if (current.flag !== undefined) return { words: [] };
    return { words: [...commandOffers(), ...plainOffers(['help', '--help', '--version', '--json'])] };
  }
  if (name === 'help')
    return { words: rest.length > 0 ? [] : [...plainOffers(topicNames), ...commandOffers()] };
  if (!isCliName(name)) return { words: [] };
  const command: AnyCommand = await cliTable[name].load();
  const { positionals, flags } = optionsOf(command);
  const { places, pending, isPast } = walk(rest, flags);
  const flag = current.flag?.slice(2) ?? pending;
  if (flag === 'format') return { words: plainOffers(formatsOf(command)) };
  const option = flag === undefined ? undefined : optionNamed(flags, flag);
  if (flag === undefined && !isPast && current.value.startsWith('-')) return { words: flagOffers(flags) };
  if (flag !== undefined && option === undefined) return { words: [] };
  const wanted = option ?? positionals[places.length] ?? positionals.findLast(({ multiple }) => multiple);
  if (wanted === undefined) return { words: [] };
  if (wanted.values !== undefined) return { words: plainOffers(wanted.values) };
  const { offerValues } = await import('./complete-values.ts');
  return offerValues({ name, field: wanted.field, places, value: current.value }, open);
}

const commandOffers = (): Offer[] => currentNames.map((word) => ({ word, note: cliTable[word].summary }));

function flagOffers(flags: readonly CliOption[]): Offer[] {
  const own = flags.map(({ flag, kind, default: fallback, description }) => ({
    word: kind === 'boolean' && fallback === true ? `--no-${flag}` : `--${flag}`,
    note: description,
  }));
  return [
    ...own,
    { word: '--format', note: 'Choose the output format' },
    { word: '--json', note: 'Print the result as JSON' },
    { word: '--help', note: 'Show the help' },
  ];
}

/** The positional words so far, and the flag that waits for its value. */
function walk(
  words: readonly string[],
  flags: readonly CliOption[],
): { places: string[]; pending: string | undefined; isPast: boolean } {
  const tokens = readWords(words, flags);
  const last = tokens.at(-1);
  const isWaiting = last?.kind === 'flag' && last.value === undefined && takesValue(last.name, flags);
  return {
    places: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
    pending: isWaiting ? last.name : undefined,
    isPast: words.includes('--'),
  };
}
