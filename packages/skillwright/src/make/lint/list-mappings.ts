// Walking values nobody has checked.

import { isMapping } from '../../skill/format/index.ts';

/** The entries of a list that are mappings, with their positions; none for anything but a list. */
export function listMappings(value: unknown): { index: number; entry: Record<string, unknown> }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown, index) => (isMapping(entry) ? [{ index, entry }] : []));
}
