// The arguments of an invocation, cut the way a shell cuts them.

/** The words of a line: quotes keep blanks, a backslash keeps the next character. A quote that never ends is a character. */
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

/** One word for a POSIX shell, whatever it contains. */
export function quoteArgument(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The text between the quote at `start` and its partner at `end`; undefined when there is no partner. */
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
