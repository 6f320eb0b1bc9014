// Splits the words of a command line into tokens. Written by hand, because loading `node:util` takes longer than parsing,
// and its `parseArgs` differs between Node and Bun.

/** A word that is not a flag, or follows `--`. */
interface PositionalToken {
  readonly kind: 'positional';
  readonly value: string;
}

/** A flag and its value, if it takes one. */
export interface FlagToken {
  readonly kind: 'flag';
  /** The long name; an unknown letter stays a letter. */
  readonly name: string;
  /** As it was written: `--max-lines`, `-n`. */
  readonly spelled: string;
  readonly value: string | undefined;
  /** True when the value was part of the same word. */
  readonly inline: boolean;
}

/** The flags that take a value, and the letters of flags. */
interface FlagTable {
  takesValue(name: string): boolean;
  /** The long name of a letter, or undefined. */
  longName(letter: string): string | undefined;
}

/** Reads all words. A flag that takes a value takes any next word. */
export function readWords(words: readonly string[], table: FlagTable): (PositionalToken | FlagToken)[] {
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
    const wantsNext = last.value === undefined && table.takesValue(last.name) && index + 1 < words.length;
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
function readShort(word: string, table: FlagTable): FlagToken[] {
  const flags: FlagToken[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    const name = table.longName(letter) ?? letter;
    const rest = word.slice(at + 1);
    const inline = rest !== '' && table.takesValue(name);
    flags.push({ kind: 'flag', name, spelled: `-${letter}`, value: inline ? rest : undefined, inline });
    if (inline) break;
  }
  return flags;
}
