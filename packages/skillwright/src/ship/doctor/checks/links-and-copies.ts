// Checks of the links and copies in agents' directories.

import { readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt, quoteWord } from '../../../base/diagnostics/index.ts';
import { realPath, statusAt } from '../../../base/files/index.ts';
import {
  isCurrentCopy,
  isDeploymentOf,
  isForeignRuntime,
  isPristineCopy,
} from '../../../make/compile/index.ts';
import { resolveTargets } from '../../../skill/agents/index.ts';
import { mayBeSkill, readBuildManifest, readSourcePath } from '../../../skill/skill/index.ts';
import { isInRuntime, storeAt } from '../../../skill/workspace/index.ts';
import { type CheckedDeployment, checkDeployments } from '../../install/index.ts';
import type { SkillLink } from '../agent-view.ts';
import { checksOf, defineCheck, type Fault, FIX } from '../check.ts';
import { isRepairable, recopy, redeploy, removeLink } from '../repairs.ts';
import { lockedPlaces, type StoreEntry, type Survey } from '../survey.ts';

/** Reports links and copies of installed skills that are missing, broken, changed or foreign. */
const deployment = defineCheck({
  id: 'deployment',
  summary: 'Installed skills are linked or copied where the lock says.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, place } = skill;
      // Another check covers a skill that is missing or not compiled, and with it its links.
      if (entry === undefined || source === undefined) continue;
      for (const checked of checkDeployments(name, entry, place)) {
        const fault = faultOf(skill, checked);
        if (fault === undefined) continue;
        const repair = isRepairable(checked) ? redeploy(skill, checked, survey) : undefined;
        yield { ...fault, ...(repair === undefined ? {} : { fix: FIX, repair }) };
      }
    }
  },
});

function faultOf(skill: StoreEntry, { agent, path, state, method }: CheckedDeployment): Fault | undefined {
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

/** Reports broken links. Links to a runtime directory are skc's own and may be removed. */
const brokenLink = defineCheck({
  id: 'broken-link',
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

/** Reports foreign files in the way. They belong to someone, so `--fix` leaves them. */
const foreignPlace = defineCheck({
  id: 'foreign-place',
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

function* checkPlace(path: string, skill: StoreEntry): Generator<Fault> {
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
function placesOf({ name, runtime }: StoreEntry, { context, config }: Survey): readonly string[] {
  if (runtime.deployed.length > 0) return runtime.deployed;
  // An unknown agent: the build reports it.
  const targets = attempt(() => resolveTargets(config.build.targets, context.workspace)) ?? [];
  return targets.map(({ dir }) => join(dir, name));
}

function* checkRuntime({ name, runtime }: StoreEntry): Generator<Fault> {
  if (!isForeignRuntime(runtime.dir)) return;
  yield {
    severity: 'warning',
    subject: runtime.dir,
    message: `skc did not make this directory, but would compile '${name}' into it`,
    why: `'skc build ${name}' refuses to replace it.`,
    fix: `move it away, or 'skc build ${name} --force', which keeps it under .skillc/backups`,
  };
}

/** Reports links into the runtime directory of another project. */
const otherProject = defineCheck({
  id: 'other-project',
  summary: "Links lead to this project's skills or to the user's.",
  *find({ roots, context }) {
    const own = new Set(
      roots.bases.map(({ base }) => realPath(base)).concat(realPath(context.workspace.home)),
    );
    for (const { links, scope } of roots.all) {
      for (const { path, real, name } of links) {
        if (real === undefined || !isInRuntime(real)) continue;
        // <project>/.skillc/runtime/<name>
        const project = dirname(dirname(dirname(real)));
        if (own.has(project)) continue;
        yield scope === 'project'
          ? {
              severity: 'warning',
              subject: path,
              message: `'${name}' belongs to another project, ${project}`,
              why: 'It changes or disappears with that project, and other users of this project do not have it.',
              fix: `install it in this project: skc install ${quoteWord(join(storeAt('project', project).skills, name))}`,
            }
          : {
              severity: 'info',
              subject: path,
              message: `'${name}' belongs to the project ${project}`,
              why: 'Agents see it in every project, as long as that project exists.',
              fix: `leave it, or run 'skc clean ${name}' in that project`,
            };
      }
    }
  },
});

/** Reports outdated and edited copies. Another check compares copies of installed skills with the lock. */
const staleCopy = defineCheck({
  id: 'stale-copy',
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
  bySource: ReadonlyMap<string, StoreEntry>,
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

/** In the order of their findings. */
export const linksAndCopies = checksOf('links and copies', [
  deployment,
  brokenLink,
  foreignPlace,
  otherProject,
  staleCopy,
]);
