// Limits the depth of untrusted values.

const MAX_DEPTH = 100;
/** Deeper than any accepted text; a cyclic value exceeds it. */
const MAX_WIDTH = 4_000_000;

/** Whether a parsed value is shallow enough to walk without a stack overflow. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return true;
    if (level.length > MAX_WIDTH) return false;
  }
  return false;
}
