// The outline from the index, for which no file has to be parsed.

import type { IndexedSkill } from './open-gateway.ts';
import { cutAt, type Outline } from './outline.ts';

/** The headings of an indexed skill. */
export function outlineIndexed({ index }: IndexedSkill, options: { maxLevel: number }): Outline {
  return {
    headings: index.outline(options.maxLevel),
    diagnostics: index.files().flatMap(({ path, cutHeadings }) => (cutHeadings ? [cutAt(path)] : [])),
  };
}
