// Skills in the stores that no agent sees.

import { statusAt } from '../../../base/files/index.ts';
import { defineCheck } from '../check.ts';
import type { StoreSkill } from '../store-skill.ts';
import type { Survey } from '../survey.ts';

/** Reports skills that are not deployed anywhere. */
export const notDeployed = defineCheck({
  id: 'not-deployed',
  group: 'compiled skills',
  summary: 'Every skill in the stores is deployed to an agent.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, sourcePath, runtime, isStored } = skill;
      // Installed for no agent on purpose.
      if (entry !== undefined || source === undefined || !isStored || isDeployed(skill, survey)) continue;
      yield {
        severity: 'info',
        subject: sourcePath,
        message: `no agent sees '${name}'`,
        why:
          runtime.manifest === undefined
            ? 'It was never compiled.'
            : 'It is compiled, but no agent has a link to it or a copy.',
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
