// Reads a configuration value as written in a shell.

import { parse } from 'smol-toml';
import type * as z from 'zod';
import { describeIssue } from '../../base/diagnostics/index.ts';

/** The value, or why the text does not fit. */
type ReadValue = { success: true; value: unknown } | { success: false; why: string };

/**
 * Reads `written` for a key of type `schema`: the text itself where text fits, else a TOML value (`true`, `5`,
 * `["a", "b"]`), else a list separated by commas.
 */
export function readValue(schema: z.ZodType, written: string): ReadValue {
  const candidates = [
    written,
    tomlValue(written),
    written
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ];
  let why = 'does not fit';
  for (const [index, candidate] of candidates.entries()) {
    // A key with a default accepts undefined, which no text stands for.
    if (candidate === undefined) continue;
    const result = schema.safeParse(candidate);
    if (result.success) return { success: true, value: candidate };
    if (index < 2) why = describeIssue(result.error.issues[0]!);
  }
  return { success: false, why: `${written === '' ? 'an empty value' : written}: ${why}` };
}

function tomlValue(written: string): unknown {
  try {
    const { value, ...others } = parse(`value = ${written}`);
    // A text with line breaks could assign more than one key.
    return Object.keys(others).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
