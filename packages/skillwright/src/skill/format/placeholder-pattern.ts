// The placeholders that a host fills in when a skill is invoked.

/**
 * A pattern for `$ARGUMENTS`, `$ARGUMENTS[1]`, `$1`, `${VARIABLE}`, named arguments, and each of them escaped; flags `gu`.
 * Its groups say which it is.
 */
export function placeholderPattern(names: readonly string[]): string {
  const usable = names.filter((name) => /^[A-Za-z_][\w-]*$/.test(name) && name !== 'ARGUMENTS');
  // Longer names first, so that a name that begins with another is not cut short.
  const named = usable.toSorted((a, b) => b.length - a.length).join('|');
  const token = `ARGUMENTS(?:\\[\\d+\\])?|\\d+${named === '' ? '' : `|(?:${named})`}`;
  return [
    `\\\\(?<escaped>\\$(?:${token})(?!\\w)|\\$\\{\\w+\\})`,
    '\\$\\{(?<variable>\\w+)\\}',
    '(?<!\\$)\\$ARGUMENTS\\[(?<bracketed>\\d+)\\]',
    '(?<!\\$)\\$(?<all>ARGUMENTS)(?!\\w)',
    '(?<!\\$)\\$(?<index>\\d+)(?!\\w)',
    ...(named === '' ? [] : [`(?<!\\$)\\$(?<name>${named})(?!\\w)`]),
  ].join('|');
}
