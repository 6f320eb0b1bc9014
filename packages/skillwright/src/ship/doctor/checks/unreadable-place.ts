// Unreadable directories, and files named almost SKILL.md.

import { defineCheck } from '../check.ts';

/** Reports directories of skills that cannot be read. */
export const unreadablePlace = defineCheck({
  id: 'unreadable-place',
  group: 'what agents see',
  summary: "The stores and agents' directories are readable, and every skill has a SKILL.md.",
  *find({ roots, places }) {
    for (const { place, storeProblem } of places) {
      if (storeProblem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.root,
        message: storeProblem.message,
        why: 'The skills in the store cannot be checked.',
        fix: 'check its permissions and file type',
      };
    }
    for (const { path, code, message } of roots.all.flatMap(({ errors }) => errors)) {
      yield {
        severity: 'warning',
        subject: path,
        message,
        why: 'No agent finds a skill here.',
        fix: code === 'E010' ? 'rename the file to SKILL.md' : 'check its permissions and file type',
      };
    }
  },
});
