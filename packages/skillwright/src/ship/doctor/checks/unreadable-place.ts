// Places that cannot be looked into, and files that are almost called SKILL.md.

import { defineCheck } from '../check.ts';

/** Reports what keeps a directory of skills from being read. */
export const unreadablePlace = defineCheck({
  id: 'unreadable-place',
  group: 'what agents see',
  summary: 'The stores and the directories of agents can be read, and skills have a file called SKILL.md.',
  *find({ roots, places }) {
    for (const { place, storeProblem } of places) {
      if (storeProblem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.root,
        message: storeProblem.message,
        why: 'Nothing that is in the store can be looked at.',
        fix: 'check the permissions and the kind of file',
      };
    }
    for (const { path, code, message } of roots.all.flatMap(({ errors }) => errors)) {
      yield {
        severity: 'warning',
        subject: path,
        message,
        why: 'No agent finds a skill here.',
        fix: code === 'E010' ? 'rename the file to SKILL.md' : 'check the permissions and the kind of file',
      };
    }
  },
});
