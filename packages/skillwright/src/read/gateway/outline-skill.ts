// The outline: every heading of every Markdown file, as it is on disk now.

import { attempt } from '../../base/diagnostics/index.ts';
import { readTextInside, walkTree } from '../../base/files/index.ts';
import { readMarkdown } from '../../base/markdown/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';

/** One heading and where its section is. */
export interface OutlineHeading {
  level: number;
  text: string;
  file: string;
  anchor: string;
  start_line: number;
  end_line: number;
}

/** The headings of the skill in `dir`, files in bytewise order. Files that are no text, or cannot be read, have none. */
export function outlineSkill(dir: string, options: { maxLevel: number }): OutlineHeading[] {
  const headings: OutlineHeading[] = [];
  for (const { path, kind } of walkTree(dir).entries) {
    if (kind !== 'file' || !path.toLowerCase().endsWith('.md')) continue;
    const text = attempt(() => readTextInside(dir, path));
    if (text === undefined) continue;
    const { body, bodyLine } = readFrontmatter(text);
    for (const heading of readMarkdown(body, { firstLine: bodyLine }).headings) {
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
  return headings;
}
