// Interrupted commands, and commands that are running.

import { catchCoded, type SkillwrightError } from '../../../base/diagnostics/index.ts';
import { type InstallPlace, readJournal, recoverIfNeeded } from '../../install/index.ts';
import { defineCheck, FIX } from '../check.ts';

/** Reports unfinished transactions. */
export const interrupted = defineCheck({
  id: 'interrupted',
  group: 'left behind',
  summary: 'No command was interrupted while it changed installed skills.',
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
          why: 'It is in place of the journal in which a command records its changes. Nothing can be installed until it is gone.',
          fix: problem.help ?? 'check it, then remove it',
        };
        continue;
      }
      yield {
        severity: 'warning',
        subject: place.work,
        message: 'a command was interrupted while it changed installed skills',
        why: 'Nothing is lost: its journal is here, and the next command finishes it. Until then the other checks are skipped.',
        fix: FIX,
        repair: { key: `recover ${place.work}`, run: () => recoverIfNeeded(place, context) },
      };
    }
    for (const { store } of busy) {
      yield {
        severity: 'info',
        subject: store.root,
        message: 'another skc is changing the installed skills here',
        why: 'The files may be half changed, so the other checks are skipped.',
        fix: 'run skc doctor again when it has finished',
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
