// Parses the words after a command's name into its input.

import {
  catchCoded,
  invalidOption,
  SkillwrightError,
  suggest,
  unknownOption,
} from '../../base/diagnostics/index.ts';
import {
  type AnyDeclaration,
  acceptFields,
  type CliOption,
  optionNamed,
  optionsOf,
  parseInput,
  withSchemas,
} from '../commands/index.ts';

/** A parsed command line: the command's input, and the flags of the front end. */
interface ParsedArguments {
  readonly input: Record<string, unknown>;
  readonly format: string;
}

/** Flags every command has. `format` may be claimed by a command's own formats. */
const sharedFlags = ['format', 'json', 'help'] as const;

/** The formats a command can print. */
export function formatsOf(command: AnyDeclaration): string[] {
  return ['text', 'json', ...Object.keys(command.formats ?? {})];
}

/** Parses the words after a command's name. E100 for anything it does not understand. */
export async function parseArguments(
  command: AnyDeclaration,
  words: readonly string[],
): Promise<ParsedArguments> {
  const { positionals, flags } = optionsOf(command);
  const byFlag = (name: string) => optionNamed(flags, name);
  const known = [...flags.map(({ flag }) => flag), ...sharedFlags];
  const tokens = readWords(words, flags);

  const raw = new Map<string, unknown[]>();
  const given: string[] = [];
  let format: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') given.push(token.value);
    else if (token.spelled === '--json') {
      if (token.value !== undefined) throw invalidOption('--json takes no value');
      format = mergeFormat(format, 'json');
    } else if (token.spelled === '--format') {
      format = mergeFormat(
        format,
        checkChoice('--format', requireValue('--format', token), formatsOf(command)),
      );
    } else {
      const { option, value } = withWordsHint(positionals, () => readFlag(token, { byFlag, known }));
      const values = raw.get(option.field) ?? [];
      if (values.length > 0 && !option.multiple) throw invalidOption(`--${option.flag} given twice`);
      raw.set(option.field, [...values, value]);
    }
  }
  readPositionals(positionals, given, raw);
  const all = [...positionals, ...flags];
  const input = Object.fromEntries(
    all.flatMap((option) => {
      const values = raw.get(option.field);
      return values === undefined ? [] : [[option.field, option.multiple ? values : values[0]]];
    }),
  );
  return { input: await checkInput(command, input), format: format ?? 'text' };
}

/** The input as the command declares it. A schema is made only to say what is wrong. */
async function checkInput(
  command: AnyDeclaration,
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const accepted = acceptFields(command.fields, input);
  if (accepted !== undefined) return accepted;
  const { positionals, input: schema } = await withSchemas(command);
  const spelled = (field: string) =>
    positionals.includes(field) ? `<${field.replaceAll('_', '-')}>` : `--${field.replaceAll('_', '-')}`;
  return catchCoded(
    () => parseInput(schema, input, spelled),
    (error) => {
      const isShort = positionals.some((field: string) => !(field in input));
      const help = isShort ? command.incomplete?.(input) : undefined;
      throw help === undefined ? error : error.withHelp(help);
    },
  );
}

/** For a command that passes words on to a script, an unknown flag may be the script's. */
function withWordsHint<T>(positionals: readonly CliOption[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    const passesOn = error instanceof SkillwrightError && positionals.at(-1)?.field === 'args';
    throw passesOn ? error.withHelp(`put options of the script after '--'`) : error;
  }
}

function readFlag(
  token: FlagToken,
  { byFlag, known }: { byFlag(name: string): CliOption | undefined; known: readonly string[] },
): { option: CliOption; value: unknown } {
  const { spelled } = token;
  const name = spelled.startsWith('--') ? spelled.slice(2) : token.name;
  const positive =
    name.startsWith('no-') && byFlag(name) === undefined ? name.slice('no-'.length) : undefined;
  const option = byFlag(positive ?? name);
  if (option === undefined) {
    if (name === 'help') throw invalidOption('--help takes no value');
    const [candidate] = suggest(positive ?? name, known);
    throw unknownOption(spelled, candidate && `did you mean --${candidate}?`);
  }
  if (option.kind === 'boolean') {
    if (token.value !== undefined) throw invalidOption(`${spelled} takes no value`);
    return { option, value: positive === undefined };
  }
  if (positive !== undefined) throw unknownOption(spelled, `--${option.flag} takes a value`);
  return { option, value: readValue(spelled, option, requireValue(spelled, token)) };
}

function readPositionals(options: readonly CliOption[], given: string[], raw: Map<string, unknown[]>): void {
  const words = [...given];
  for (const option of options) {
    const taken = option.multiple ? words.splice(0) : words.splice(0, 1);
    if (taken.length === 0) continue;
    raw.set(
      option.field,
      taken.map((word) => readValue(`<${option.flag}>`, option, word)),
    );
  }
  if (words.length > 0) throw invalidOption(`unexpected argument '${words[0]}'`);
}

function readValue(spelled: string, option: CliOption, word: string): unknown {
  if (option.values !== undefined) return checkChoice(spelled, word, option.values);
  if (option.kind !== 'number') return word;
  const number = /^[+-]?\d+(\.\d+)?$/.test(word) ? Number(word) : Number.NaN;
  if (Number.isNaN(number))
    throw invalidOption(`${spelled} needs a number, not ${word === '' ? 'nothing' : `'${word}'`}`);
  return number;
}

function requireValue(spelled: string, { value, inline }: FlagToken): string {
  if (value === undefined) throw invalidOption(`${spelled} needs a value`);
  // A flag is not taken as a value; negative numbers and `-` are.
  if (!inline && /^-[^\d.\s]/.test(value)) {
    const joined = spelled.startsWith('--') ? `${spelled}=${value}` : `${spelled}${value}`;
    throw invalidOption(`${spelled} needs a value`, `write ${joined} if ${value} is the value`);
  }
  return value;
}

function checkChoice(spelled: string, word: string, values: readonly string[]): string {
  if (values.includes(word)) return word;
  const [candidate] = suggest(word, values);
  throw invalidOption(
    word === '' ? `${spelled} cannot be empty` : `${spelled} cannot be '${word}'`,
    candidate === undefined ? `use one of: ${values.join(', ')}` : `did you mean ${candidate}?`,
  );
}

function mergeFormat(before: string | undefined, next: string): string {
  if (before !== undefined && before !== next)
    throw invalidOption(`--format ${before} and --format ${next} exclude each other`);
  return next;
}

// Splits the words of a command line into tokens. Written by hand, because loading `node:util` takes longer than parsing,
// and its `parseArgs` differs between Node and Bun.

/** A word that is not a flag, or follows `--`. */
interface PositionalToken {
  readonly kind: 'positional';
  readonly value: string;
}

/** A flag and its value, if it takes one. */
interface FlagToken {
  readonly kind: 'flag';
  /** The long name; an unknown letter stays a letter. */
  readonly name: string;
  /** As it was written: `--max-lines`, `-n`. */
  readonly spelled: string;
  readonly value: string | undefined;
  /** True when the value was part of the same word. */
  readonly inline: boolean;
}

/** Whether a flag takes a value. */
export function takesValue(name: string, flags: readonly CliOption[]): boolean {
  return name === 'format' || (optionNamed(flags, name) ?? { kind: 'boolean' }).kind !== 'boolean';
}

/** Reads all words. A flag that takes a value takes any next word. */
export function readWords(
  words: readonly string[],
  table: readonly CliOption[],
): (PositionalToken | FlagToken)[] {
  const tokens: (PositionalToken | FlagToken)[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === '--') {
      for (const value of words.slice(index + 1)) tokens.push({ kind: 'positional', value });
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      tokens.push({ kind: 'positional', value: word });
      continue;
    }
    const flags = word.startsWith('--') ? [readLong(word)] : readShort(word, table);
    const last = flags.at(-1)!;
    const wantsNext = last.value === undefined && takesValue(last.name, table) && index + 1 < words.length;
    if (wantsNext) index += 1;
    tokens.push(...flags.slice(0, -1), wantsNext ? { ...last, value: words[index] } : last);
  }
  return tokens;
}

function readLong(word: string): FlagToken {
  const equals = word.indexOf('=', 3);
  const spelled = equals === -1 ? word : word.slice(0, equals);
  const value = equals === -1 ? undefined : word.slice(equals + 1);
  return { kind: 'flag', name: spelled.slice(2), spelled, value, inline: equals !== -1 };
}

/** `-abc` is three letters; if one takes a value, the rest of the word is the value. */
function readShort(word: string, table: readonly CliOption[]): FlagToken[] {
  const flags: FlagToken[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    const name = table.find(({ short }) => short === letter)?.flag ?? letter;
    const rest = word.slice(at + 1);
    const inline = rest !== '' && takesValue(name, table);
    flags.push({ kind: 'flag', name, spelled: `-${letter}`, value: inline ? rest : undefined, inline });
    if (inline) break;
  }
  return flags;
}
