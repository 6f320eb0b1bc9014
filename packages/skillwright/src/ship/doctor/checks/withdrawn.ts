// Installed skills that their registry warned about at the last request.

import { noticeText, readNews } from '../../install/index.ts';
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
          message: `'${name}' is ${kind === 'advisory' ? 'under an advisory' : kind}`,
          why: `Its registry says: ${noticeText(text)}`,
          fix: `'skc update ${name}' installs the registry's current version; 'skc uninstall ${name}' removes the skill`,
        };
    }
  },
});
