// SCN701: invisible characters.

import type { ScanRule } from '../scan-rule.ts';

/** Reports text in invisible characters. */
export const invisibleText: ScanRule = {
  id: 'SCN701',
  name: 'invisible-text',
  category: 'hidden-text',
  severity: 'high',
  summary:
    'Text in Unicode tag characters, runs of zero-width characters, or controls that reverse the writing direction.',
  reason:
    'A model reads text that people do not see, so a reviewer approves something else than the agent obeys.',
  help: 'Read what the characters say, and do not use the skill until they are removed.',
  *check(subject) {
    for (const file of subject.files) {
      const [bidi] = file.hidden.filter(({ kind }) => kind === 'bidi');
      const spelled = file.hidden.find(
        ({ kind, decoded, length }) =>
          (kind === 'tags' || kind === 'variation' || kind === 'zero-width') &&
          ((decoded?.length ?? 0) >= 4 || (kind === 'tags' && length >= 4) || length >= 16),
      );
      const lineOf = (index: number) => file.original.slice(0, index).split('\n').length;
      if (spelled !== undefined) {
        const says = spelled.decoded === undefined ? '' : ` that say: ${spelled.decoded.slice(0, 120)}`;
        yield {
          message: `${spelled.length} invisible characters`,
          file: file.path,
          line: lineOf(spelled.index),
          excerpt: `${spelled.length} invisible characters${says}`,
          severity: spelled.decoded === undefined ? 'high' : 'critical',
          confidence: spelled.decoded === undefined ? 'medium' : 'high',
        };
        continue;
      }
      const splits = file.hidden.filter(({ kind }) => kind === 'zero-width');
      if (splits.length >= 3)
        yield {
          message: `${splits.length} words split by invisible characters`,
          file: file.path,
          line: lineOf(splits[0]!.index),
          severity: 'medium',
          confidence: 'medium',
        };
      if (bidi === undefined) continue;
      const rightToLeft = /[\u0590-\u08ff]/.test(file.original);
      if (!rightToLeft)
        yield {
          message: 'a control character reverses the writing direction',
          file: file.path,
          line: lineOf(bidi.index),
          severity: file.kind === 'script' ? 'high' : 'medium',
          confidence: 'medium',
        };
    }
  },
};
