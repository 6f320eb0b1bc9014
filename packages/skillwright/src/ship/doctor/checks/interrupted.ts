// Commands that were interrupted, and commands that are at work just now.

import { catchCoded, type SkillwrightError } from '../../../base/diagnostics/index.ts';
import { type InstallPlace, readJournal, recoverIfNeeded } from '../../install/index.ts';
import { defineCheck, FIX } from '../check.ts';

/** Reports transactions that nobody has finished. */
export const interrupted = defineCheck({
  id: 'interrupted',
  group: 'left behind',
  summary: 'No command was interrupted while it changed what is installed.',
  always: true,
  *find({ places, busy, context }) {
    for (const { place, isInterrupted } of places) {
      if (!isInterrupted) continue;
      const problem = journalProblem(place);
      if (problem !== undefined) {
        yield {
          severity: 'error',
          subject: place.work,
          message: problem.message,
          why: 'It stands where an interrupted command writes down what it was about to do; nothing can be installed until it is gone.',
          fix: problem.help ?? 'look at it, and remove it',
        };
        continue;
      }
      yield {
        severity: 'warning',
        subject: place.work,
        message: 'a command was interrupted while it changed what is installed',
        why: 'Nothing is lost: what it was about to do is written down, and the next command finishes it. Until then nothing else is looked at.',
        fix: FIX,
        repair: { key: `recover ${place.work}`, run: () => recoverIfNeeded(place, context) },
      };
    }
    for (const { store } of busy) {
      yield {
        severity: 'info',
        subject: store.root,
        message: 'another skc is changing what is installed here',
        why: 'What is there now may be of two moments, so nothing else is looked at.',
        fix: 'ask again when it is done',
      };
    }
  },
});

function journalProblem(place: InstallPlace): SkillwrightError | undefined {
  return catchCoded(
    () => {
      readJournal(place);
      return undefined;
    },
    (error) => error,
  );
}
