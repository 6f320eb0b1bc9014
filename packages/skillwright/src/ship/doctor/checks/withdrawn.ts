// Skills that their registry advises against, as it was heard last.

import { noticeText, readNews } from '../../install/index.ts';
import { defineCheck } from '../check.ts';

/** Reports installed versions that were withdrawn or held back, deprecated skills, and advisories. */
export const withdrawn = defineCheck({
  id: 'withdrawn',
  group: 'installed skills',
  summary: 'No registry advises against what is installed.',
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
          fix: `'skc update ${name}' takes what the registry offers now; 'skc uninstall ${name}' removes the skill`,
        };
    }
  },
});
