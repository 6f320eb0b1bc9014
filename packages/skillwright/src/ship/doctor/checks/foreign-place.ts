// Foreign files where skc deploys or compiles.

import { join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { statusAt } from '../../../base/files/index.ts';
import { isDeploymentOf, isForeignRuntime } from '../../../make/compile/index.ts';
import { resolveTargets } from '../../../skill/agents/index.ts';
import { readBuildManifest } from '../../../skill/skill/index.ts';
import { defineCheck, type Fault } from '../check.ts';
import type { StoreSkill } from '../store-skill.ts';
import type { Survey } from '../survey.ts';

/** Reports foreign files in the way. They belong to someone, so `--fix` leaves them. */
export const foreignPlace = defineCheck({
  id: 'foreign-place',
  group: 'links and copies',
  summary: 'No foreign file or directory is where skc deploys or compiles.',
  *find(survey) {
    for (const skill of survey.skills) {
      yield* checkRuntime(skill);
      // Another check compares installed skills with the lock.
      if (skill.entry !== undefined || skill.source === undefined) continue;
      for (const path of placesOf(skill, survey)) yield* checkPlace(path, skill);
    }
  },
});

function* checkPlace(path: string, skill: StoreSkill): Generator<Fault> {
  const status = statusAt(path);
  const { name, runtime, source, place } = skill;
  if (status === undefined || isDeploymentOf({ dir: runtime.dir, source: source! }, path, place.home)) return;
  // Another compiled skill with this name: the check `same-name` reports it.
  if (status.isDirectory() && readBuildManifest(path) !== undefined) return;
  const kind = status.isSymbolicLink() ? 'a link to something else' : 'something that skc did not make';
  yield {
    severity: 'warning',
    subject: path,
    message: `${kind} is where '${name}' should be deployed`,
    why: "The agent sees that instead of the skill, and 'skc build' refuses to replace it.",
    fix: `move it away, or 'skc build ${name} --force', which keeps it under .skillc/backups`,
  };
}

/** Where it was deployed, or where a build would deploy it. */
function placesOf({ name, runtime }: StoreSkill, { context, config }: Survey): readonly string[] {
  if (runtime.deployed.length > 0) return runtime.deployed;
  // An unknown agent: the build reports it.
  const targets = attempt(() => resolveTargets(config.build.targets, context.workspace)) ?? [];
  return targets.map(({ dir }) => join(dir, name));
}

function* checkRuntime({ name, runtime }: StoreSkill): Generator<Fault> {
  if (!isForeignRuntime(runtime.dir)) return;
  yield {
    severity: 'warning',
    subject: runtime.dir,
    message: `skc did not make this directory, but would compile '${name}' into it`,
    why: `'skc build ${name}' refuses to replace it.`,
    fix: `move it away, or 'skc build ${name} --force', which keeps it under .skillc/backups`,
  };
}
