// Fills in the placeholders of a skill's body. The body is read once, from left to right: text inserted by an argument
// or a command is never read again.

import { findCommands, placeholderPattern } from '../../skill/format/index.ts';
import type { DynamicCommand } from '../answers/index.ts';

/** Values of the placeholders. */
export interface Substitutions {
  /** Arguments as typed, or already split into words. */
  readonly args: string | readonly string[];
  /** Names of the arguments, in order. */
  readonly names?: readonly string[];
  /** Values of `${…}`; a name without a value stays as written. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** The shell that commands in the body are written for. */
  readonly shell?: 'bash' | 'powershell';
}

/** A body in pieces: text and commands. */
interface Substituted {
  readonly pieces: readonly (string | DynamicCommand)[];
  readonly words: readonly string[];
  /** The arguments as appended to a text. */
  readonly appendix: string;
}

/** Value of a placeholder; `missing` when its argument was not given. */
type Meaning =
  | { readonly kind: 'text' | 'missing'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  | { readonly kind: 'word'; readonly index: number }
  | { readonly kind: 'all' };

const asksForArguments = ({ kind }: Meaning) => kind !== 'text' && kind !== 'variable';

/** Fills in the placeholders of a body. Arguments that no placeholder uses are appended. */
export function substituteArguments(body: string, substitutions: Substitutions): Substituted {
  const { args, names = [], variables = {}, shell = 'bash' } = substitutions;
  const words = typeof args === 'string' ? splitArguments(args) : [...args];
  const typed = (typeof args === 'string' ? args : words.map(quoteArgument).join(' ')).trim();
  const placeholders = new RegExp(placeholderPattern(names), 'gu');
  let asked = false;

  const meaningOf = (whole: string, found: Partial<Record<string, string>>): Meaning => {
    if (found.escaped !== undefined) return { kind: 'text', text: found.escaped };
    if (found.variable !== undefined) {
      const value = readVariable(variables, found.variable);
      return value === undefined
        ? { kind: 'text', text: whole }
        : { kind: 'variable', name: found.variable, value };
    }
    if (found.all !== undefined) return { kind: 'all' };
    const index =
      found.name === undefined ? Number(found.bracketed ?? found.index) : names.indexOf(found.name);
    if (words[index] !== undefined) return { kind: 'word', index };
    return { kind: 'missing', text: found.name === undefined ? whole : '' };
  };
  const fill = (text: string, spell: (meaning: Meaning, whole: string, offset: number) => string): string =>
    text.replace(placeholders, (whole: string, ...match) =>
      spell(meaningOf(whole, match.at(-1) as Partial<Record<string, string>>), whole, match.at(-3) as number),
    );
  const asText = (text: string) =>
    fill(text, (meaning) => {
      asked ||= asksForArguments(meaning);
      if ('text' in meaning) return meaning.text;
      if (meaning.kind === 'variable') return meaning.value;
      return meaning.kind === 'all' ? typed : words[meaning.index]!;
    });

  const asCommand = (source: string): Omit<DynamicCommand, 'written' | 'line'> => {
    const quotingAt = followQuotes(source);
    const env: Record<string, string> = {};
    const literal: string[] = [];
    const refer = (name: string, value: string, isQuoted: boolean) => {
      env[name] = value;
      const reference = shell === 'powershell' ? `\${env:${name}}` : `\${${name}}`;
      return isQuoted || shell === 'powershell' ? reference : `"${reference}"`;
    };
    const word = (index: number, isQuoted: boolean) =>
      refer(`SKC_ARGUMENT_${index}`, words[index]!, isQuoted);
    const command = fill(source, (meaning, whole, offset) => {
      if (meaning.kind === 'text') return meaning.text;
      const quoting = quotingAt(offset);
      if (quoting === 'literal' && meaning.kind !== 'missing') literal.push(whole);
      if (quoting === 'literal') return whole;
      asked ||= asksForArguments(meaning);
      if (meaning.kind === 'missing') return meaning.text;
      const isQuoted = quoting === 'double';
      if (meaning.kind === 'variable') return refer(meaning.name, meaning.value, isQuoted);
      if (meaning.kind === 'word') return word(meaning.index, isQuoted);
      if (isQuoted) return refer('SKC_ARGUMENTS', typed, isQuoted);
      return words.map((_, index) => word(index, isQuoted)).join(' ');
    });
    return {
      source,
      command,
      env,
      literal,
      refused: whyRefused(source, { placeholders, values: Object.values(env) }),
    };
  };

  const pieces: (string | DynamicCommand)[] = [];
  let end = 0;
  for (const { start, source, stop, line } of findCommands(body)) {
    pieces.push(asText(body.slice(end, start)));
    pieces.push({ ...asCommand(source), written: body.slice(start, stop), line });
    end = stop;
  }
  pieces.push(asText(body.slice(end)));
  const appendix = typed === '' ? '' : `\n\nARGUMENTS: ${typed}`;
  if (!asked && appendix !== '') pieces.push(appendix);
  return { pieces, words, appendix };
}

function whyRefused(source: string, filled: Parameters<typeof readsAsCode>[1]): string | null {
  if (filled.values.some((value) => value.includes('\0'))) return 'an argument contains a NUL character';
  return readsAsCode(source, filled) ? 'it would read an argument as code' : null;
}

/**
 * The quotes around an offset of a command; ask for offsets in ascending order. Safety does not depend on it: values reach
 * a command as variables, so a misjudged position is at worst expanded with other white space, or not at all.
 */
function followQuotes(source: string): (offset: number) => 'plain' | 'double' | 'literal' {
  let open = '';
  let at = 0;
  return (offset) => {
    for (; at < offset; at++) {
      const character = source[at]!;
      if (character === '\\' && open !== "'") at++;
      else if (character === open) open = '';
      else if (open === '' && (character === '"' || character === "'")) open = character;
    }
    return open === '' ? 'plain' : open === '"' ? 'double' : 'literal';
  };
}

/** Constructs that evaluate a value again: as a command, a program, or an expression with subscripts. */
const commands =
  /\b(?:eval|source|trap|watch|parallel|ssh|iex|Invoke-Expression)\b|(?:^|[\s;&|(])\.\s|\b(?:ba|da|z|k)?sh\b[^\n|;]*\s-\w*c\b|\b(?:python[\d.]*|node|bun|deno|perl|ruby|php|pwsh|osascript)\b[^\n|;]*\s-\w*[cepr]\b|\$\{!|@[A-Za-z]\}/i;
const programs = /\b(?:[gmn]?awk|sed|perl|jq)\b/;
const expressions =
  /\(\(|\$\[|\[\[|\$\{[^}]*[[:]|\b(?:let|declare|typeset|local|readonly|unset|read|mapfile|readarray|getopts)\b|(?:\btest|\bprintf|\[)\s+-v\b/;

/** A word with the same meaning in every program. */
const isTame = (value: string) => /^[\p{L}\p{M}\p{N}_@%+=:,./ -]*$/u.test(value);
const hasSubscript = (value: string) => value.includes('[');

/** Whether a command would evaluate placeholder values as code, so that they must not reach it. */
function readsAsCode(
  source: string,
  { placeholders, values }: { readonly placeholders: RegExp; readonly values: readonly string[] },
): boolean {
  const parts = source.split(/[|;&\n]/).filter((part) => part.search(placeholders) !== -1);
  const mayRun = commands.test(source) || parts.some((part) => programs.test(part));
  return (mayRun && !values.every(isTame)) || (expressions.test(source) && values.some(hasSubscript));
}

/** The value of a variable, ignoring inherited properties. */
export function readVariable(
  variables: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

// Splits the arguments of an invocation the way a shell does.

/** The words of a line: quotes keep blanks, a backslash escapes the next character. An unclosed quote is a character. */
export function splitArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= '';
    if (character === '\\' && at + 1 < line.length) word += line[++at];
    else if (character === '"' || character === "'") {
      const quoted = readQuoted(line, at);
      word += quoted?.text ?? character;
      at = quoted?.end ?? at;
    } else word += character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Quotes any string as one word for a POSIX shell. */
export function quoteArgument(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The text between the quote at `start` and its closing quote at `end`; undefined when it is not closed. */
function readQuoted(line: string, start: number): { text: string; end: number } | undefined {
  const quote = line[start]!;
  let text = '';
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === quote) return { text, end: at };
    if (quote === '"' && line[at] === '\\' && /["\\$`]/.test(line[at + 1] ?? '')) at++;
    text += line[at];
  }
  return undefined;
}
