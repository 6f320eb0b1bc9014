// Features that agents lose because a skill is deployed as a stub.

import { defineCheck } from '../check.ts';

/** Reports stubs that lose features of their skill. */
export const deployForm = defineCheck({
  id: 'deploy-form',
  group: 'compiled skills',
  summary: 'No stub loses a feature that agents need.',
  *find(survey) {
    for (const { name, runtime, source } of survey.skills) {
      if (source === undefined || runtime.manifest === undefined) continue;
      const { why = '', lost = [], deploy } = runtime.manifest;
      if (lost.length === 0) continue;
      yield {
        severity: 'warning',
        subject: runtime.dir,
        message: `the stub of '${name}' loses ${lost.join(', ')}`,
        why:
          deploy === 'stub'
            ? 'It was built as a stub (--stub or build.deploy).'
            : `It is a stub because ${why}.`,
        fix: deploy === 'stub' ? `skc build ${name} --whole` : 'leave it, or open the skill to agents',
      };
    }
  },
});
