// Comments in SKILL.md and its references that switch rules off: skc-disable, skc-enable, skc-disable-line.

import type { Comment } from '../../base/markdown/index.ts';

const DIRECTIVE = /^skc-(disable|enable|disable-line)\b\s*([^:]*)/;

interface Switch {
  readonly line: number;
  readonly action: 'disable' | 'enable' | 'disable-line';
  /** Rule ids or names in lower case; empty means every rule. */
  readonly rules: readonly string[];
}

/** Decides which findings in one file its comments switch off. */
export interface Directives {
  /** `line` undefined, or before `bodyLine`: about the file or its frontmatter, which cannot contain comments. */
  silences(finding: { id: string; name: string; line: number | undefined }): boolean;
}

/** Reads the directives among a document's comments. */
export function readDirectives(comments: readonly Comment[], bodyLine: number): Directives {
  const switches = comments.flatMap((comment): Switch[] => {
    const match = DIRECTIVE.exec(comment.text);
    if (match === null) return [];
    const rules = match[2]!
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    return [{ line: comment.line, action: match[1] as Switch['action'], rules }];
  });
  return {
    silences({ id, name, line }) {
      const mine = switches.filter(
        ({ rules }) => rules.length === 0 || rules.includes(id.toLowerCase()) || rules.includes(name),
      );
      if (mine.length === 0) return false;
      if (line === undefined || line < bodyLine) return mine.some(({ action }) => action === 'disable');
      if (mine.some((entry) => entry.action === 'disable-line' && entry.line === line)) return true;
      const last = mine.findLast((entry) => entry.action !== 'disable-line' && entry.line <= line);
      return last?.action === 'disable';
    },
  };
}
