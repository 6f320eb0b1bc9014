// Reads the outline from disk: every heading of every Markdown file. Loaded only then, with the reader of Markdown.

import { attempt, type Diagnostic } from '../../base/diagnostics/index.ts';
import { isEvalFile, walkTree } from '../../base/files/index.ts';
import { readMarkdown } from '../../base/markdown/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import { hasSections } from '../index/index.ts';
import { readTextFile } from './open-file.ts';
import { cutAt, type Outline, type OutlineHeading } from './outline.ts';

/** The headings of the skill in `dir`. Unreadable files, files that are not text, and evals have none. */
export function outlineSkill(dir: string, options: { maxLevel: number }): Outline {
  const headings: OutlineHeading[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { path, kind } of walkTree(dir).entries) {
    if (kind !== 'file' || !hasSections(path) || isEvalFile(path)) continue;
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
  return { headings, total: headings.length, diagnostics };
}
