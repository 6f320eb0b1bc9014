// Directories that hold more than a search looks into.

import { defineCheck, type Fault } from '../check.ts';

/** Reports places whose skills were found in part only. */
export const cutSearch = defineCheck({
  id: 'cut-search',
  group: 'what agents see',
  summary: 'Every directory that holds skills was looked through to its end.',
  async find({ catalog }) {
    const { diagnostics } = (await catalog()) ?? { diagnostics: [] };
    return diagnostics
      .filter(({ code }) => code === 'W007')
      .map(
        ({ message, data }): Fault => ({
          severity: 'warning',
          subject: String(data?.path),
          message,
          why: 'Skills that were not reached are not listed, found or offered to agents.',
          fix: 'move what is no skill elsewhere, or raise catalog.max_directories and catalog.max_depth',
        }),
      );
  },
});
