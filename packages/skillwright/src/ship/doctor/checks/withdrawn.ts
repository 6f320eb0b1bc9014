// Installed skills that their registry warned about at the last request.

import { noticeWords, readNews } from '../../install/index.ts';
import { noticeLine } from '../../network/index.ts';
import { defineCheck } from '../check.ts';

/** Reports yanked and quarantined versions, deprecated skills, and advisories. */
export const withdrawn = defineCheck({
  id: 'withdrawn',
  group: 'installed skills',
  summary: 'No registry warns about an installed skill.',
  *find({ skills, context }) {
    const news = readNews(context.workspace);
    for (const { name, entry, place, sourcePath } of skills) {
      const heard = entry && news.of({ lock: place.store.lock, name, entry });
      for (const { kind, text } of heard?.notices ?? [])
        yield {
          severity: kind === 'deprecated' ? 'info' : 'warning',
          subject: sourcePath,
          message: `'${name}' is ${noticeWords(kind)}`,
          why: `Its registry said at ${heard?.checked_at}: ${noticeLine(text)}`,
          fix: `'skc update ${name}' installs the registry's current version; 'skc uninstall ${name}' removes the skill`,
        };
    }
  },
});
