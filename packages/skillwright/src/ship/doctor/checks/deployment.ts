// Whether installed skills are where the lock says they are deployed.

import { readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CheckedDeployment, checkDeployments } from '../../install/index.ts';
import { defineCheck, type Fault, FIX } from '../check.ts';
import { isRepairable, redeploy } from '../repairs.ts';
import type { StoreSkill } from '../store-skill.ts';

/** Reports links and copies of installed skills that are gone, broken, changed or something else. */
export const deployment = defineCheck({
  id: 'deployment',
  group: 'links and copies',
  summary: 'Installed skills are linked or copied to where the lock says.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, place } = skill;
      // One that is gone, or not compiled, has a finding of its own, and its links follow from that.
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
        message: `'${name}' is not there for ${agent}`,
        why: 'The lock says that it is deployed here.',
        fix: FIX,
      };
    case 'broken':
      if (leadsTo(subject) === skill.runtime.dir && skill.runtime.manifest === undefined) return undefined;
      return {
        severity: 'error',
        subject,
        message: `the link of '${name}' leads nowhere`,
        why: `${agent} does not find the skill that the lock says is deployed here.`,
        fix: FIX,
      };
    case 'foreign':
      return {
        severity: 'warning',
        subject,
        message: `something else stands where '${name}' should be`,
        why: `${agent} sees that instead of what was installed. skc did not make it, so it stays.`,
        fix: `move it away and run '${FIX}', or 'skc install --force${scope}', which keeps it under .skillc/backups`,
      };
    case 'changed':
      return {
        severity: 'warning',
        subject,
        message: `the ${method} of '${name}' is not as skc made it`,
        why: `${agent} does not see the skill as it is compiled now.`,
        fix: `look at it, move away what is yours, and run '${FIX}'`,
      };
    case 'unusable':
      return {
        severity: 'warning',
        subject,
        message: `'${name}' cannot be deployed to ${agent}`,
        why: 'No agent is called so, or the directory leads out of the project.',
        fix: `uninstall and install it for an agent that skc knows`,
      };
  }
}

function leadsTo(link: string): string {
  return resolve(dirname(link), readlinkSync(link));
}
