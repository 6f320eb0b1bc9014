// The state file: skills that are switched off, grants and trust.

import { readState } from '../../../skill/workspace/index.ts';
import { defineCheck } from '../check.ts';

/** Reports an unusable state file. */
export const unusableState = defineCheck({
  id: 'unusable-state',
  group: 'configuration',
  summary: 'The record of switched-off skills and grants can be read.',
  always: true,
  *find({ places }) {
    for (const { place } of places) {
      const { problem } = readState(place.store.state);
      if (problem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.state,
        message: problem.message,
        why: 'Skills you switched off are on again, and grants to scripts are lost.',
        fix: 'correct the file, or remove it and switch skills off again',
      };
    }
  },
});
