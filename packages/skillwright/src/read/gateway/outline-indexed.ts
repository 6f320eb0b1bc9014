// Reads the outline from the index, without parsing files.

import type { IndexedSkill } from './open-gateway.ts';
import { cutAt, type Outline } from './outline.ts';

/** The headings of an indexed skill; with a limit, the first ones. For skills that may be read in full. */
export function outlineIndexed(
  { index, reach }: IndexedSkill,
  { maxLevel, limit }: { readonly maxLevel: number; readonly limit?: number | undefined },
): Outline {
  return {
    ...index.outline(maxLevel, reach.isWhole ? limit : undefined),
    diagnostics: index.files().flatMap(({ path, cutHeadings }) => (cutHeadings ? [cutAt(path)] : [])),
  };
}
