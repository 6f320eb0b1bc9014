// The file that says which skills are switched off.

import { readState } from '../../../skill/workspace/index.ts';
import { defineCheck } from '../check.ts';

/** Reports a state file that cannot be used. */
export const unusableState = defineCheck({
  id: 'unusable-state',
  group: 'configuration',
  summary: 'What was switched off and remembered can be read.',
  always: true,
  *find({ places }) {
    for (const { place } of places) {
      const { problem } = readState(place.store.state);
      if (problem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.state,
        message: problem.message,
        why: 'Skills that were switched off are on, and what was granted to scripts is forgotten.',
        fix: 'correct the file, or remove it and switch skills off again',
      };
    }
  },
});
