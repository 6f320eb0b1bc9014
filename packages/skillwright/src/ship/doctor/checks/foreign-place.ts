// Things that skc did not make, at places it uses or would use.

import { join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { statusAt } from '../../../base/files/index.ts';
import { isDeploymentOf, isForeignRuntime } from '../../../make/compile/index.ts';
import { resolveTargets } from '../../../skill/agents/index.ts';
import { readBuildManifest } from '../../../skill/skill/index.ts';
import { defineCheck, type Fault } from '../check.ts';
import type { StoreSkill } from '../store-skill.ts';
import type { Survey } from '../survey.ts';

/** Names what stands in the way. It belongs to somebody, so it stays. */
export const foreignPlace = defineCheck({
  id: 'foreign-place',
  group: 'links and copies',
  summary: 'Nothing that skc did not make stands where it deploys or compiles to.',
  *find(survey) {
    for (const skill of survey.skills) {
      yield* checkRuntime(skill);
      // Places of installed skills are looked at against the lock.
      if (skill.entry !== undefined || skill.source === undefined) continue;
      for (const path of placesOf(skill, survey)) yield* checkPlace(path, skill);
    }
  },
});

function* checkPlace(path: string, skill: StoreSkill): Generator<Fault> {
  const status = statusAt(path);
  const { name, runtime, source, place } = skill;
  if (status === undefined || isDeploymentOf({ dir: runtime.dir, source: source! }, path, place.home)) return;
  // Another skill of that name that was compiled: two skills of one name are told by their own check.
  if (status.isDirectory() && readBuildManifest(path) !== undefined) return;
  const kind = status.isSymbolicLink() ? 'a link to something else' : 'something that skc did not make';
  yield {
    severity: 'warning',
    subject: path,
    message: `${kind} stands where '${name}' is deployed to`,
    why: "The agent sees that instead of the skill, and 'skc build' is refused there.",
    fix: `move it away, or 'skc build ${name} --force', which keeps it under .skillc/backups`,
  };
}

/** Where it was deployed to; of a skill that never was, where a build would deploy it. */
function placesOf({ name, runtime }: StoreSkill, { context, config }: Survey): readonly string[] {
  if (runtime.deployed.length > 0) return runtime.deployed;
  // An agent nobody knows: a build says so.
  const targets = attempt(() => resolveTargets(config.build.targets, context.workspace)) ?? [];
  return targets.map(({ dir }) => join(dir, name));
}

function* checkRuntime({ name, runtime }: StoreSkill): Generator<Fault> {
  if (!isForeignRuntime(runtime.dir)) return;
  yield {
    severity: 'warning',
    subject: runtime.dir,
    message: `skc did not make this directory, where '${name}' is compiled to`,
    why: `'skc build ${name}' is refused.`,
    fix: `move it away, or 'skc build ${name} --force', which keeps it under .skillc/backups`,
  };
}
