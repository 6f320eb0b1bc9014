// Broken links in the directories of agents.

import { basename, dirname, join } from 'node:path';
import { mayBeSkill } from '../../../skill/skill/index.ts';
import { storeAt } from '../../../skill/workspace/index.ts';
import type { SkillLink } from '../agent-root.ts';
import { defineCheck, type Fault, FIX } from '../check.ts';
import { removeLink } from '../repairs.ts';
import { lockedPlaces } from '../survey.ts';

/** Reports broken links. Links to a runtime directory are skc's own and may be removed. */
export const brokenLink = defineCheck({
  id: 'broken-link',
  group: 'links and copies',
  summary: "Links in agents' directories are not broken.",
  *find(survey) {
    // Other checks cover links of installed skills and links to builds that can be repeated.
    const places = lockedPlaces(survey);
    const sources = survey.skills.filter(({ source }) => source !== undefined);
    const targets = new Set(sources.map(({ runtime }) => runtime.dir));
    for (const link of survey.roots.all.flatMap(({ links }) => links)) {
      if (link.real !== undefined || places.has(link.path) || targets.has(link.target)) continue;
      yield {
        severity: 'warning',
        subject: link.path,
        message: `the link is broken: ${link.target} is gone`,
        ...remedy(link),
      };
    }
  },
});

function remedy({ name, path, target, written }: SkillLink): Pick<Fault, 'why' | 'fix' | 'repair'> {
  // <project>/.skillc/runtime/<name>
  const base = dirname(dirname(dirname(target)));
  const { runtime, skills } = storeAt('project', base);
  if (target !== join(runtime, name) || basename(target) !== name)
    return { why: 'skc did not make it, so it stays.', fix: 'remove it, or restore its target' };
  if (mayBeSkill(join(skills, name)))
    return { why: `The skill is still in ${base}, but not compiled.`, fix: `'skc build ${name}' in ${base}` };
  const why = 'skc made it for a skill that is no longer compiled there.';
  return { why, fix: FIX, repair: removeLink(path, written) };
}
