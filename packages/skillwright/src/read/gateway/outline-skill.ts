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
    const found = headingsIn(text, path);
    if (found.isCut) diagnostics.push(cutAt(path));
    headings.push(...found.headings.filter(({ level }) => level <= options.maxLevel));
  }
  return { headings, total: headings.length, diagnostics };
}

/** The headings of one file, and whether it has more. */
export function headingsIn(text: string, file: string): { headings: OutlineHeading[]; isCut: boolean } {
  const { body, bodyLine } = readFrontmatter(text);
  const document = readMarkdown(body, { firstLine: bodyLine });
  const headings = document.headings.map(({ level, text, anchor, line, endLine }) => ({
    ...{ level, text, file, anchor, start_line: line, end_line: endLine },
  }));
  return { headings, isCut: document.moreHeadings > 0 };
}
