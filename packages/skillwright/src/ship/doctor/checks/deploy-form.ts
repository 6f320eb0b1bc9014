// In which form compiled skills go to agents, where that is not a plain stub, and what a stub loses.

import { defineCheck } from '../check.ts';

/** Says how skills are deployed; a stub that loses something is a warning. */
export const deployForm = defineCheck({
  id: 'deploy-form',
  group: 'compiled skills',
  summary: 'No stub loses what agents need from the skill.',
  *find(survey) {
    for (const { name, runtime, source } of survey.skills) {
      if (source === undefined || runtime.manifest === undefined) continue;
      const { form = 'stub', why = '', lost = [], beside = [], deploy } = runtime.manifest;
      if (lost.length > 0) {
        yield {
          severity: 'warning',
          subject: runtime.dir,
          message: `the stub of '${name}' loses ${lost.join(', ')}`,
          why: deploy === 'stub' ? 'A stub alone was asked for.' : `It is a stub because ${why}.`,
          fix: deploy === 'stub' ? `skc build ${name} --whole` : 'leave it, or open what is closed to agents',
        };
      } else if (form !== 'stub') {
        yield {
          severity: 'info',
          subject: runtime.dir,
          message:
            form === 'whole'
              ? `'${name}' is deployed whole`
              : `'${name}' is deployed as a stub with ${beside.join(', ')} beside it`,
          why: `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}.`,
          fix: `leave it, or 'skc build ${name} --stub' for a stub alone`,
        };
      }
    }
  },
});
