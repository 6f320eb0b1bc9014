// Checks that installed skills are deployed where the lock says.

import { readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CheckedDeployment, checkDeployments } from '../../install/index.ts';
import { defineCheck, type Fault, FIX } from '../check.ts';
import { isRepairable, redeploy } from '../repairs.ts';
import type { StoreSkill } from '../store-skill.ts';

/** Reports links and copies of installed skills that are missing, broken, changed or foreign. */
export const deployment = defineCheck({
  id: 'deployment',
  group: 'links and copies',
  summary: 'Installed skills are linked or copied where the lock says.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, place } = skill;
      // Another check covers a skill that is missing or not compiled, and with it its links.
      if (entry === undefined || source === undefined) continue;
      for (const checked of checkDeployments(name, entry, { place, context: survey.context })) {
        const fault = faultOf(skill, checked);
        if (fault === undefined) continue;
        const repair = isRepairable(checked) ? redeploy(skill, checked, survey) : undefined;
        yield { ...fault, ...(repair === undefined ? {} : { fix: FIX, repair }) };
      }
    }
  },
});

function faultOf(skill: StoreSkill, { agent, path, state, method }: CheckedDeployment): Fault | undefined {
  const { name, place } = skill;
  const subject = path ?? agent;
  const scope = place.scope === 'user' ? ' --scope user' : '';
  switch (state) {
    case 'ok':
      return undefined;
    case 'missing':
      return {
        severity: 'error',
        subject,
        message: `'${name}' is missing for ${agent}`,
        why: 'The lock says it is deployed here.',
        fix: FIX,
      };
    case 'broken':
      if (leadsTo(subject) === skill.runtime.dir && skill.runtime.manifest === undefined) return undefined;
      return {
        severity: 'error',
        subject,
        message: `the link of '${name}' is broken`,
        why: `${agent} does not find the skill, although the lock says it is deployed here.`,
        fix: FIX,
      };
    case 'foreign':
      return {
        severity: 'warning',
        subject,
        message: `something else is where '${name}' should be`,
        why: `${agent} sees that instead of the installed skill. skc did not make it, so it stays.`,
        fix: `move it away and run '${FIX}', or 'skc install --force${scope}', which keeps it under .skillc/backups`,
      };
    case 'changed':
      return {
        severity: 'warning',
        subject,
        message: `the ${method} of '${name}' has changed since skc made it`,
        why: `${agent} does not see the current build of the skill.`,
        fix: `check it, move your own files away, then run '${FIX}'`,
      };
    case 'unusable':
      return {
        severity: 'warning',
        subject,
        message: `'${name}' cannot be deployed to ${agent}`,
        why: 'There is no such agent, or its directory leads out of the project.',
        fix: `uninstall and install it for an agent that skc knows`,
      };
  }
}

function leadsTo(link: string): string {
  return resolve(dirname(link), readlinkSync(link));
}
