// The outline from the index, for which no file has to be parsed.

import type { IndexedSkill } from './open-gateway.ts';
import { cutAt, type Outline } from './outline.ts';

/** The headings of an indexed skill; with a limit, the first ones of those that may all be shown. */
export function outlineIndexed(
  { index, reach }: IndexedSkill,
  { maxLevel, limit }: { readonly maxLevel: number; readonly limit?: number | undefined },
): Outline {
  return {
    ...index.outline(maxLevel, reach.isWhole ? limit : undefined),
    diagnostics: index.files().flatMap(({ path, cutHeadings }) => (cutHeadings ? [cutAt(path)] : [])),
  };
}
