// SKL403: the skill as a whole is small enough to copy.

import { formatBytes } from '../../../base/files/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { defineRule, readLimit } from '../rule.ts';

const MAX_BYTES = 5 * 1024 * 1024;

/** Reports a skill whose files together are too large. */
export const totalSize = defineRule({
  id: 'SKL403',
  name: 'total-size',
  severity: 'warning',
  summary: 'The files of the skill have at most 5 MiB in total.',
  *check(skill, options) {
    const maxBytes = readLimit(options, 'max_bytes', MAX_BYTES);
    let total = Buffer.byteLength(skill.text);
    let largest = { path: SKILL_FILE, bytes: total };
    for (const { path, kind } of skill.tree) {
      if (kind !== 'file' || path === SKILL_FILE) continue;
      const bytes = skill.sizeOf(path);
      total += bytes;
      if (bytes > largest.bytes) largest = { path, bytes };
    }
    if (total <= maxBytes) return;
    yield {
      message: `the skill has ${formatBytes(total)} in total, more than ${formatBytes(maxBytes)}`,
      help: `remove what agents do not need; the largest file is ${largest.path} with ${formatBytes(largest.bytes)}`,
    };
  },
});
