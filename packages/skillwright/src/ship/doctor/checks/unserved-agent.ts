// Agents in use here that see none of the skills that skc manages.

import { dirname } from 'node:path';
import { quoteWord } from '../../../base/diagnostics/index.ts';
import { skillsOf } from '../agents-in-sight.ts';
import { defineCheck } from '../check.ts';
import type { Survey } from '../survey.ts';

/** Reports agents in use on this machine to which no skill was deployed. */
export const unservedAgent = defineCheck({
  id: 'unserved-agent',
  group: 'what agents see',
  summary: 'Every agent in use here sees some of your skills.',
  *find(survey) {
    const deployed = survey.skills.filter(
      ({ source, runtime, isStored }) => source !== undefined && isStored && runtime.deployed.length > 0,
    );
    if (deployed.length === 0) return;
    const sources = new Set(deployed.map(({ source }) => source));
    for (const seen of survey.agents) {
      const { agent, facts } = seen;
      if (agent.id === 'agents' || !facts.documented) continue;
      const sees = skillsOf(seen).some(({ skill }) => sources.has(skill.identity));
      if (sees || isServed(seen, deployed)) continue;
      const names = deployed.map(({ name }) => name);
      yield {
        severity: 'info',
        subject: agent.id,
        message: `${facts.label} is used here but sees none of your skills`,
        why: `${names.length === 1 ? `'${names[0]}' is` : `${names.length} skills are`} deployed to other agents.`,
        fix: `skc build ${names.map(quoteWord).join(' ')} --target ${agent.id}${scopeFlag(deployed)}`,
      };
    }
  },
});

/** Whether a skill was deployed to a directory the agent reads, or should be. Other checks report problems with it. */
function isServed({ agent, roots }: Survey['agents'][number], deployed: Survey['skills']): boolean {
  const paths = deployed.flatMap(({ runtime }) => runtime.deployed);
  return (
    deployed.some(({ entry }) => entry?.targets.some((target) => target.agent === agent.id)) ||
    roots.some(({ path, real }) => paths.some((place) => [path, real].includes(dirname(place))))
  );
}

function scopeFlag(deployed: Survey['skills']): string {
  return deployed.every(({ place }) => place.scope === 'project') ? ' --scope project' : '';
}
