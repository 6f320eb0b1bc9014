// Links in the directories of agents that lead nowhere.

import { basename, dirname, join } from 'node:path';
import { hasSkillFile, storePaths } from '../../../skill/places/index.ts';
import { checkDeployments } from '../../install/index.ts';
import type { SkillLink } from '../agent-root.ts';
import { defineCheck, type Fault, FIX } from '../check.ts';
import { removeLink } from '../repairs.ts';
import type { Survey } from '../survey.ts';

/** Reports broken links. Those to a runtime directory are skc's own, and can go. */
export const brokenLink = defineCheck({
  id: 'broken-link',
  group: 'links and copies',
  summary: 'Links in the directories of agents lead somewhere.',
  *find(survey) {
    const handled = handledElsewhere(survey);
    for (const link of survey.roots.all.flatMap(({ links }) => links)) {
      if (link.real !== undefined || handled.places.has(link.path) || handled.targets.has(link.target))
        continue;
      yield {
        severity: 'warning',
        subject: link.path,
        message: `the link leads nowhere: ${link.target} is gone`,
        ...remedy(link),
      };
    }
  },
});

function remedy({ name, path, target, written }: SkillLink): Pick<Fault, 'why' | 'fix' | 'repair'> {
  // <project>/.skillc/runtime/<name>
  const base = dirname(dirname(dirname(target)));
  const { runtime, skills } = storePaths(base);
  if (target !== join(runtime, name) || basename(target) !== name)
    return { why: 'skc did not make it, so it stays.', fix: 'remove it, or bring back what it led to' };
  if (isSkill(join(skills, name)))
    return { why: `The skill is still in ${base}, and not compiled.`, fix: `'skc build ${name}' in ${base}` };
  const why = 'skc made it for a skill that is no longer compiled there.';
  return { why, fix: FIX, repair: removeLink(path, written) };
}

function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    // It is there, and cannot be looked at.
    return true;
  }
}

/** Links of installed skills, and links to what will be compiled again: both have findings of their own. */
function handledElsewhere({ places, context }: Survey): { places: Set<string>; targets: Set<string> } {
  const skills = places.flatMap((one) => one.skills);
  return {
    places: new Set(
      skills.flatMap(({ name, entry, place }) =>
        entry === undefined
          ? []
          : checkDeployments(name, entry, { place, context }).map(({ path }) => path ?? ''),
      ),
    ),
    targets: new Set(skills.filter(({ source }) => source !== undefined).map(({ runtime }) => runtime.dir)),
  };
}
