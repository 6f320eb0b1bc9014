// Words in a command that somebody is to paste.

/** One word for a POSIX shell, whatever it contains. */
export function quoteArgument(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
