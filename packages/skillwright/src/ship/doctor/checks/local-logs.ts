// Local access logs that were never merged.

import { dirname } from 'node:path';
import { listLocalLogs, localLogDirectory, oldestLocalRow } from '../../../read/usage/index.ts';
import { defineCheck } from '../check.ts';

const STALE_MS = 60 * 60_000;

/** Reports local logs that are older than an hour. */
export const localLogs = defineCheck({
  id: 'local-logs',
  group: 'left behind',
  summary: 'Local access logs have been merged into the main ones.',
  *find({ context }) {
    const bases = [context.workspace.cwd];
    while (dirname(bases.at(-1)!) !== bases.at(-1)) bases.push(dirname(bases.at(-1)!));
    for (const base of bases) {
      for (const skill of listLocalLogs(base)) {
        const directory = localLogDirectory(base, skill);
        const written = Date.parse(oldestLocalRow(directory) ?? '');
        if (!(context.now().getTime() - written > STALE_MS)) continue;
        yield {
          severity: 'warning',
          subject: directory,
          message: `unmerged accesses of '${skill}' since ${new Date(written).toISOString()}`,
          why: "The skill's main log could not be written then, so 'skc stats' does not count them.",
          fix: 'skc sync',
        };
      }
    }
  },
});
