// Flags every command has. They are read from the raw words, because they must also work on a line that cannot be parsed.

/** Moves `--json` and `--format` from before the command to after it. */
export function flagsLast(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length && isFormatFlag(words[at]!)) at += words[at] === '--format' ? 2 : 1;
  return at >= words.length ? words : [words[at]!, ...words.slice(0, at), ...words.slice(at + 1)];
}

/** True for a word that chooses the format. */
export const isFormatFlag = (word: string) =>
  word === '--json' || word === '--format' || word.startsWith('--format=');

const beforeTerminator = (words: readonly string[]) => {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
};

/** True when help is asked for. */
export function wantsHelp(words: readonly string[]): boolean {
  return beforeTerminator(words).some((word) => word === '--help' || word === '-h');
}

/** True when the text format is requested by name. */
export function asksForText(words: readonly string[]): boolean {
  return beforeTerminator(words).some(
    (word, index, all) => word === '--format=text' || (word === '--format' && all[index + 1] === 'text'),
  );
}

/** True when the result or the error should be JSON. */
export function wantsJson(words: readonly string[]): boolean {
  return beforeTerminator(words).some(
    (word, index, all) =>
      word === '--json' || word === '--format=json' || (word === '--format' && all[index + 1] === 'json'),
  );
}
