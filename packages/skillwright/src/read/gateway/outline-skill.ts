// The outline: every heading of every Markdown file, from a fresh index or as it is on disk now.

import { attempt, type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { walkTree } from '../../base/files/index.ts';
import { MAX_HEADINGS, readMarkdown } from '../../base/markdown/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import { hasSections } from '../index/index.ts';
import { readTextFile } from './open-file.ts';
import type { IndexedSkill } from './open-gateway.ts';

/** One heading and where its section is. */
export interface OutlineHeading {
  level: number;
  text: string;
  file: string;
  anchor: string;
  start_line: number;
  end_line: number;
}

/** The headings, files in bytewise order, and a W013 for each file that has more than are listed. */
export interface Outline {
  readonly headings: OutlineHeading[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The headings of the skill in `dir`. Files that are no text, or cannot be read, have none. */
export function outlineSkill(dir: string, options: { maxLevel: number }): Outline {
  const headings: OutlineHeading[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { path, kind } of walkTree(dir).entries) {
    if (kind !== 'file' || !hasSections(path)) continue;
    const text = attempt(() => readTextFile(dir, path));
    if (text === undefined) continue;
    const { body, bodyLine } = readFrontmatter(text);
    const document = readMarkdown(body, { firstLine: bodyLine });
    if (document.moreHeadings > 0) diagnostics.push(cutAt(path));
    for (const heading of document.headings) {
      if (heading.level > options.maxLevel) continue;
      headings.push({
        level: heading.level,
        text: heading.text,
        file: path,
        anchor: heading.anchor,
        start_line: heading.line,
        end_line: heading.endLine,
      });
    }
  }
  return { headings, diagnostics };
}

/** The same from the index of a skill. */
export function outlineIndexed({ index }: IndexedSkill, options: { maxLevel: number }): Outline {
  return {
    headings: index.headings(options).map(({ level, text, file, anchor, start_line, end_line }) => ({
      level,
      text,
      file,
      anchor,
      start_line,
      end_line,
    })),
    diagnostics: index.files().flatMap(({ path, cutHeadings }) => (cutHeadings ? [cutAt(path)] : [])),
  };
}

const cutAt = (file: string) => diagnose('W013', { file, limit: String(MAX_HEADINGS) });
