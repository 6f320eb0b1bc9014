// Outdated or edited copies in the directories of agents.

import { join } from 'node:path';
import { realPath } from '../../../base/files/index.ts';
import { isCurrentCopy, isPristineCopy } from '../../../make/compile/index.ts';
import { readBuildManifest, readSourcePath } from '../../../skill/skill/index.ts';
import { defineCheck, type Fault, FIX } from '../check.ts';
import { recopy } from '../repairs.ts';
import type { StoreSkill } from '../store-skill.ts';
import { lockedPlaces, type Survey } from '../survey.ts';

/** Reports outdated and edited copies. Another check compares copies of installed skills with the lock. */
export const staleCopy = defineCheck({
  id: 'stale-copy',
  group: 'links and copies',
  summary: 'Copies match the current build of their skills.',
  *find(survey) {
    const locked = lockedPlaces(survey);
    const bySource = new Map(
      survey.skills.flatMap((skill) => (skill.source === undefined ? [] : [[skill.source, skill] as const])),
    );
    for (const { path, directories } of survey.roots.all) {
      for (const name of directories) {
        const copy = join(path, name);
        if (!locked.has(copy)) yield* checkCopy(copy, bySource, survey);
      }
    }
  },
});

function* checkCopy(
  copy: string,
  bySource: ReadonlyMap<string, StoreSkill>,
  survey: Survey,
): Generator<Fault> {
  const manifest = readBuildManifest(copy);
  if (manifest === undefined) return;
  const source = realPath(readSourcePath(manifest, copy, survey.context.workspace.home));
  const skill = bySource.get(source);
  const compiled = skill?.runtime.manifest;
  if (skill === undefined || compiled === undefined) return;
  if (!isPristineCopy(copy)) {
    yield {
      severity: 'warning',
      subject: copy,
      message: `this copy of '${manifest.skill}' was edited`,
      why: 'The edits are not in the skill itself, and the next build moves them to a backup.',
      fix: `make the change in ${source}, then run 'skc build ${manifest.skill} --copy'`,
    };
  } else if (!isCurrentCopy(copy, skill.runtime.dir)) {
    yield {
      severity: 'warning',
      subject: copy,
      message: `this copy of '${manifest.skill}' is older than the skill`,
      why: 'The agent sees an outline of the old skill.',
      fix: FIX,
      repair: recopy(skill, copy, survey),
    };
  }
}
