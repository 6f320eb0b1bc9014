// What agents lose because a skill goes out as a stub.

import { defineCheck } from '../check.ts';

/** Reports stubs that lose something. */
export const deployForm = defineCheck({
  id: 'deploy-form',
  group: 'compiled skills',
  summary: 'No stub loses what agents need from the skill.',
  *find(survey) {
    for (const { name, runtime, source } of survey.skills) {
      if (source === undefined || runtime.manifest === undefined) continue;
      const { why = '', lost = [], deploy } = runtime.manifest;
      if (lost.length === 0) continue;
      yield {
        severity: 'warning',
        subject: runtime.dir,
        message: `the stub of '${name}' loses ${lost.join(', ')}`,
        why: deploy === 'stub' ? 'A stub alone was asked for.' : `It is a stub because ${why}.`,
        fix: deploy === 'stub' ? `skc build ${name} --whole` : 'leave it, or open what is closed to agents',
      };
    }
  },
});
