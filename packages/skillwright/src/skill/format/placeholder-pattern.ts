// Placeholders a host fills in when it invokes a skill.

/**
 * A pattern for `$ARGUMENTS`, `$ARGUMENTS[1]`, `$1`, `${VARIABLE}` and named arguments, plain or escaped; flags `gu`.
 * Its groups tell them apart.
 */
export function placeholderPattern(names: readonly string[]): string {
  const usable = names.filter((name) => /^[A-Za-z_][\w-]*$/.test(name) && name !== 'ARGUMENTS');
  // Longer names first, so that a shorter prefix does not match instead.
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
