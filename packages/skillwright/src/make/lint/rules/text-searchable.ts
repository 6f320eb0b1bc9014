// SKL405: every text of the skill can be searched.

import { formatBytes, MAX_SEARCHED_BYTES } from '../../../base/files/index.ts';
import { readLimit } from '../read-limit.ts';
import { defineRule } from '../rule.ts';

/** Reports text files that are too large for the search index. */
export const textSearchable = defineRule({
  id: 'SKL405',
  name: 'text-searchable',
  severity: 'warning',
  summary: 'Text files have at most 1 MiB, so that their text can be searched.',
  *check(skill, options) {
    const maxBytes = readLimit(options, 'max_bytes', MAX_SEARCHED_BYTES);
    for (const { path, kind } of skill.tree) {
      if (kind !== 'file') continue;
      const bytes = skill.sizeOf(path);
      if (bytes <= maxBytes || skill.textOf(path) === undefined) continue;
      yield {
        file: path,
        message: `the text is not searched: it has ${formatBytes(bytes)}, more than ${formatBytes(maxBytes)}`,
        help: 'split the file; until then only headings of it are found',
      };
    }
  },
});
