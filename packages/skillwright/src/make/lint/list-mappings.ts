// Walks unchecked values.

import { isMapping } from '../../skill/format/index.ts';

/** The mappings in a list, with their positions; empty for anything but a list. */
export function listMappings(value: unknown): { index: number; entry: Record<string, unknown> }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown, index) => (isMapping(entry) ? [{ index, entry }] : []));
}
