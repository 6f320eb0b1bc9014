// SKL404: files can be searched.

import { formatBytes, isEvalFile, MAX_SEARCHED_BYTES } from '../../../base/files/index.ts';
import type { LintSkill } from '../lint-skill.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, readLimit } from '../rule.ts';

const MAX_FINDINGS = 10;

/** Extensions of text files; files with another one are read to find out. */
const TEXT = /\.(?:md|markdown|txt|json|jsonl|ya?ml|toml|csv|tsv|xml|html?)$/i;

/** Reports texts that are too large for the full-text index. */
export const fileSearchable = defineRule({
  id: 'SKL404',
  name: 'file-searchable',
  severity: 'warning',
  summary: 'Every text file is small enough to be searched: at most 1 MiB.',
  *check(skill, options) {
    const maxBytes = readLimit(options, 'max_bytes', MAX_SEARCHED_BYTES);
    const large = skill.tree.filter(
      ({ path, kind }) =>
        kind === 'file' && !isEvalFile(path) && skill.sizeOf(path) > maxBytes && isText(skill, path),
    );
    for (const { path } of large.slice(0, MAX_FINDINGS)) {
      const size = formatBytes(skill.sizeOf(path));
      yield {
        message: `${quoteText(path)} has ${size}: search skips the text of files over ${formatBytes(maxBytes)}`,
        file: path,
        help: 'split it into smaller files',
      };
    }
    const left = large.length - MAX_FINDINGS;
    if (left > 0) yield { message: `${left} more files are too large to search` };
  },
});

function isText(skill: LintSkill, path: string): boolean {
  return TEXT.test(path) || skill.textOf(path) !== undefined;
}
