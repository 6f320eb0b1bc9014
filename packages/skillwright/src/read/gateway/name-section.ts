// How a section is asked for so that no other is meant.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { HeadingFilter } from '../index/index.ts';
import { UNTITLED } from './find-headings.ts';
import type { IndexedSkill } from './open-gateway.ts';

/** What `show` is given: a heading or `#anchor`, and the file where the heading alone is not enough. */
export interface SectionName {
  readonly section: string;
  readonly file?: string;
}

/** The shortest name of a section that means it alone. */
export function nameSection(
  { index, reach }: Pick<IndexedSkill, 'index' | 'reach'>,
  { file, section, anchor }: { readonly file: string; readonly section: string; readonly anchor: string },
): SectionName {
  const isAlone = (filter: HeadingFilter) =>
    // What may not be shown does not count, so it must not use up the limit.
    index.headings({ ...filter, ...(reach.isWhole ? { limit: 2 } : {}) }).filter(reach.allowsSection)
      .length === 1;
  // Text with hidden characters cannot be copied.
  if (section !== '' && makeVisible(section) === section) {
    if (isAlone({ text: section })) return { section };
    if (isAlone({ text: section, file })) return { section, file };
  }
  return { section: anchor === '' ? section || UNTITLED : `#${anchor}`, file };
}
