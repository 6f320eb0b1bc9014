// Skills of the stores that no agent can see.

import { statusAt } from '../../../base/files/index.ts';
import { defineCheck } from '../check.ts';
import type { StoreSkill } from '../store-skill.ts';
import type { Survey } from '../survey.ts';

/** Reports skills that were never deployed, or are no longer deployed anywhere. */
export const notDeployed = defineCheck({
  id: 'not-deployed',
  group: 'compiled skills',
  summary: 'Skills of the stores are deployed to an agent.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, sourcePath, runtime, isStored } = skill;
      // Whoever installs for no agent means it.
      if (entry !== undefined || source === undefined || !isStored || isDeployed(skill, survey)) continue;
      yield {
        severity: 'info',
        subject: sourcePath,
        message: `no agent sees '${name}'`,
        why:
          runtime.manifest === undefined
            ? 'It was never compiled.'
            : 'It is compiled, and no agent has a link to it or a copy.',
        fix: `skc build ${name}`,
      };
    }
  },
});

function isDeployed({ runtime, source }: StoreSkill, { roots }: Survey): boolean {
  if (runtime.deployed.some((path) => statusAt(path) !== undefined)) return true;
  return roots.all.some(
    ({ links, skills }) =>
      links.some(({ target }) => target === runtime.dir) ||
      skills.some(({ identity }) => identity === source),
  );
}
