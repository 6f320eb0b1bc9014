// SCN208: runs a file that it just wrote to a temporary directory.

import type { ScanRule } from '../scan-rule.ts';

/** Reports programs that a skill writes to a temporary directory and starts. */
export const temporaryProgram: ScanRule = {
  id: 'SCN208',
  name: 'temporary-program',
  category: 'remote-code',
  severity: 'medium',
  summary: 'Writes a file to a temporary directory and runs it.',
  reason: 'The program is not part of the reviewed skill, and it is gone afterwards.',
  help: 'Find out what it writes there before you run it.',
  *check(subject) {
    for (const { kind, from, to } of subject.flows)
      if (kind === 'temporary-run' && !to.file.isExample)
        yield {
          message: 'writes a file to a temporary directory and runs it',
          match: to,
          confidence: Math.min(subject.weigh(from), subject.weigh(to)),
        };
  },
};
