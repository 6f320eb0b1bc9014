// Reads the outline from disk: every heading of every Markdown file. Loaded only then, with the reader of Markdown.

import { attempt, type Diagnostic } from '../../base/diagnostics/index.ts';
import { isEvalFile, walkTree } from '../../base/files/index.ts';
import { hasSections, readSections } from '../index/index.ts';
import { readTextFile } from './open-file.ts';
import { cutAt, type Outline, type OutlineHeading, type UnlistedFile, unlistedFile } from './outline.ts';

/** The headings of the skill in `dir`. */
export function outlineSkill(dir: string, options: { maxLevel: number }): Outline {
  const headings: OutlineHeading[] = [];
  const diagnostics: Diagnostic[] = [];
  const unlisted: UnlistedFile[] = [];
  for (const { path, kind } of walkTree(dir).entries) {
    if (kind !== 'file' || !hasSections(path)) continue;
    const text = isEvalFile(path) ? undefined : attempt(() => readTextFile(dir, path));
    if (text === undefined) {
      unlisted.push(unlistedFile(path));
      continue;
    }
    const { headings: found, moreHeadings, lead } = readSections(path, text, 'headings');
    if (moreHeadings > 0) diagnostics.push(cutAt(path));
    for (const heading of found) {
      const { level, anchor, line: start_line, endLine: end_line } = heading;
      const before = heading === lead?.heading ? { from_line: lead.line } : {};
      if (level <= options.maxLevel)
        headings.push({ level, text: heading.text, file: path, anchor, start_line, end_line, ...before });
    }
  }
  return { headings, total: headings.length, diagnostics, unlisted };
}

/** The headings of one file. */
export function headingsIn(text: string, file: string): OutlineHeading[] {
  return readSections(file, text, 'headings').headings.map(({ level, text, anchor, line, endLine }) => ({
    ...{ level, text, file, anchor, start_line: line, end_line: endLine },
  }));
}
