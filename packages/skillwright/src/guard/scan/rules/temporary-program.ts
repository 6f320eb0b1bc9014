// SCN208: a file that was just written to a temporary place is run.

import { flowProbes } from '../probes/flow-facts.ts';
import { defineScanRule } from '../scan-rule.ts';

/** Reports programs that a skill writes where nobody looks, and starts. */
export const temporaryProgram = defineScanRule({
  id: 'SCN208',
  name: 'temporary-program',
  category: 'remote-code',
  severity: 'medium',
  summary: 'A file is written to a temporary place and run.',
  reason: 'What runs is not part of the skill that was reviewed, and it is gone afterwards.',
  help: 'Find out what is written there before it is run.',
  probes: flowProbes,
  *check(subject) {
    for (const { kind, from, to } of subject.flows)
      if (kind === 'temporary-run' && !to.file.isExample)
        yield {
          message: 'a file in a temporary place is written and run',
          match: to,
          confidence: Math.min(subject.weigh(from), subject.weigh(to)),
        };
  },
});
