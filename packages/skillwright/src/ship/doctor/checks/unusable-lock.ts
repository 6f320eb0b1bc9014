// Locks of installed skills: skc's own, and that of the `skills` command line.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { type InstallPlace, readSkillsCliLock } from '../../install/index.ts';
import { defineCheck, type Fault } from '../check.ts';

/** Reports unusable locks. */
export const unusableLock = defineCheck({
  id: 'unusable-lock',
  group: 'configuration',
  summary: 'The locks of installed skills can be read.',
  always: true,
  *find({ places }) {
    for (const { place, lockProblem } of places) {
      yield* checkOther(place);
      if (lockProblem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.lock,
        message: lockProblem.message,
        why: 'skc cannot install, update, restore or check skills.',
        fix: lockProblem.help ?? 'restore the last good version of the file',
      };
    }
  },
});

function* checkOther({ base, scope }: InstallPlace): Generator<Fault> {
  if (scope === 'user') return;
  try {
    readSkillsCliLock(base);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    yield {
      severity: 'warning',
      subject: join(base, 'skills-lock.json'),
      message: error.message,
      why: 'It belongs to another tool; skc cannot import or check its skills.',
      fix: 'correct the file',
    };
  }
}
