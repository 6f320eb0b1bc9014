// Removes broken entries from a field, so that one mistake does not lose the rest.

import type { FormatIssue } from './format-issue.ts';
import { isMapping } from './format-issue.ts';

type Path = readonly (string | number)[];

/**
 * The value of a field without the entries that have issues. `depth` is how deep an entry can be nested: a fault
 * below it counts against the entry. Undefined when no entry is left.
 */
export function dropBroken(value: unknown, issues: readonly FormatIssue[], depth: number): unknown {
  const units = new Set(issues.map(({ path }) => keyOf(entryOf(path.slice(1), depth))));
  const keep = (part: unknown, at: Path): unknown => {
    if (units.has(keyOf(at))) return undefined;
    if (at.length >= depth) return part;
    if (Array.isArray(part)) {
      const kept = part.map((item, index) => keep(item, [...at, index])).filter((item) => item !== undefined);
      return kept.length === 0 && part.length > 0 ? undefined : kept;
    }
    if (!isMapping(part)) return part;
    const entries = Object.entries(part).map(([key, item]) => [key, keep(item, [...at, key])] as const);
    // A group without handlers is dropped too.
    const isEmptied = entries.some(([key, item]) => item === undefined && Array.isArray(part[key]));
    if (isEmptied && at.length > 0) return undefined;
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  };
  return keep(value, []);
}

/** The list entry a path leads into; the key below the field when the path crosses no list. */
function entryOf(path: Path, depth: number): Path {
  const within = path.slice(0, depth);
  const last = within.findLastIndex((step) => typeof step === 'number');
  return within.slice(0, last === -1 ? 1 : last + 1);
}

const keyOf = (path: Path) => JSON.stringify(path);
