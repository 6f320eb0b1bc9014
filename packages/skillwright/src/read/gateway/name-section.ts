// Names a section unambiguously.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { HeadingFilter } from '../index/index.ts';
import { UNTITLED } from './find-headings.ts';
import type { IndexedSkill } from './open-gateway.ts';

/** Arguments of `show`: a heading or `#anchor`, and the file when the heading alone is ambiguous. */
export interface SectionName {
  readonly section: string;
  readonly file?: string;
}

/** The shortest unambiguous name of a section. */
export function nameSection(
  { index, reach }: Pick<IndexedSkill, 'index' | 'reach'>,
  { file, section, anchor }: { readonly file: string; readonly section: string; readonly anchor: string },
): SectionName {
  const isAlone = (filter: HeadingFilter) =>
    // Hidden sections do not count, so they must not use up the limit.
    index.headings({ ...filter, ...(reach.isWhole ? { limit: 2 } : {}) }).filter(reach.allowsSection)
      .length === 1;
  // Text with hidden characters cannot be copied.
  if (section !== '' && makeVisible(section) === section) {
    if (isAlone({ text: section })) return { section };
    if (isAlone({ text: section, file })) return { section, file };
  }
  return { section: anchor === '' ? section || UNTITLED : `#${anchor}`, file };
}
