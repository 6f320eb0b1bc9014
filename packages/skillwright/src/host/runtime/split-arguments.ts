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
