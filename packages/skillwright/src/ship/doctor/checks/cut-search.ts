// Directories with more entries than a search reads.

import { defineCheck, type Fault } from '../check.ts';

/** Reports directories where the search stopped at its limit. */
export const cutSearch = defineCheck({
  id: 'cut-search',
  group: 'what agents see',
  summary: 'Every directory of skills was searched completely.',
  async find({ catalog }) {
    const { diagnostics } = (await catalog()) ?? { diagnostics: [] };
    return diagnostics
      .filter(({ code }) => code === 'W007')
      .map(
        ({ message, data }): Fault => ({
          severity: 'warning',
          subject: String(data?.path),
          message,
          why: 'Skills beyond the limit are not listed, found or offered to agents.',
          fix: 'move other files elsewhere, or raise catalog.max_directories and catalog.max_depth',
        }),
      );
  },
});
