// How deep a value from outside is.

const MAX_DEPTH = 100;
/** More than any text we take has; a value that holds itself grows with each level. */
const MAX_WIDTH = 4_000_000;

/** Whether a parsed value can be walked by anyone without running out of stack. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return true;
    if (level.length > MAX_WIDTH) return false;
  }
  return false;
}
