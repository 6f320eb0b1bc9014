// Reports unknown keys inside a field, usually typos.

import { suggest } from '../../base/diagnostics/index.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { nameOfValue } from './schema-issues.ts';

/** A warning for each key of the mapping at `path` that is not in `known`; none when the value is not a mapping. */
export function unknownKeys(
  value: unknown,
  { known, path }: { known: readonly string[]; path: readonly (string | number)[] },
): FormatIssue[] {
  if (!isMapping(value)) return [];
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const [closest] = suggest(key, known, 1);
      return {
        kind: 'unknown',
        field: String(path[0]),
        path: [...path, key],
        message: `unknown key '${key}' in ${nameOfValue(path)}`,
        help: closest === undefined ? `known keys: ${known.join(', ')}` : `did you mean '${closest}'?`,
        severity: 'warning',
      };
    });
}
