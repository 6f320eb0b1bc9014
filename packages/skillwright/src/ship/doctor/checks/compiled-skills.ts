// Checks of compiled skills against their sources.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isInside, realPath, sha256, statusAt } from '../../../base/files/index.ts';
import { cleanRuntime, isBeside, isForeignRuntime } from '../../../make/compile/index.ts';
import { openIndex, type SkillIndex } from '../../../read/index/index.ts';
import { buildRecord, hasSkillFile } from '../../../skill/skill/index.ts';
import { OWN_DIRECTORY, readWithdrawn } from '../../../skill/workspace/index.ts';
import { checksOf, defineCheck, FIX, type Repair } from '../check.ts';
import { recompile } from '../repairs.ts';
import { isDrifted, type StoreEntry, type Survey } from '../survey.ts';

/** Reports skills whose compiled form is missing, damaged or older than the source. */
const staleBuild = defineCheck({
  id: 'stale-build',
  summary: 'Skills are compiled and indexed from their current sources.',
  *find(survey) {
    for (const skill of survey.skills) {
      if (skill.source === undefined) continue;
      const wrong = findWrong(skill, survey);
      if (wrong === undefined) continue;
      yield {
        severity: wrong.isUnusable ? 'error' : 'warning',
        subject: skill.runtime.dir,
        message: `${wrong.what} of '${skill.name}' ${wrong.how}`,
        why: wrong.why,
        // Agents trust compiled files, so changed sources must be checked before a build.
        ...(isDrifted(skill) || !isOwnSource(skill)
          ? {
              fix: `check the changes with 'skc verify ${skill.name}', then run 'skc build ${skill.name} --target none'`,
            }
          : { fix: FIX, repair: recompile(skill, survey) }),
      };
    }
  },
});

interface Wrong {
  readonly what: string;
  readonly how: string;
  readonly why: string;
  readonly isUnusable: boolean;
}

function findWrong(skill: StoreEntry, survey: Survey): Wrong | undefined {
  const { runtime, entry } = skill;
  if (runtime.manifest === undefined) {
    // Another check reports a foreign file in its place.
    if (isForeignRuntime(runtime.dir)) return undefined;
    const isWanted = entry !== undefined || hasLinkTo(runtime.dir, survey);
    const why = 'Agents have a link to it, or should have one by the lock, but find nothing.';
    return isWanted ? { what: 'the compiled form', how: 'is missing', why, isUnusable: true } : undefined;
  }
  if (orUndefined(() => sha256(readFileSync(join(runtime.dir, 'SKILL.md')))) !== runtime.manifest.stub_hash)
    return {
      what: 'the stub',
      how: 'is not the one that was compiled',
      why: 'Agents read a text that differs from the skill.',
      isUnusable: true,
    };
  const { beside = [], copied } = runtime.manifest;
  if (!isBeside(runtime.dir, beside, { source: skill.source!, copied }))
    return {
      what: 'a link to the files',
      how: 'is missing next to the stub',
      why: "Paths in the skill's text do not work.",
      isUnusable: true,
    };
  return findWrongIndex(skill, survey);
}

function findWrongIndex(
  { name, source, runtime }: StoreEntry,
  { config, context }: Survey,
): Wrong | undefined {
  let index: SkillIndex | undefined;
  try {
    index = openIndex({
      skill: name,
      sourceDir: source!,
      indexDir: join(runtime.dir, OWN_DIRECTORY),
      tokenizer: config.search.tokenizer,
      record: buildRecord(context.workspace.home),
    });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const why = `'skc show' and 'skc search' answer with ${error.code}.`;
    return {
      what: 'the index',
      how: 'is missing, damaged or built with other settings',
      why,
      isUnusable: true,
    };
  }
  const why = "Agents see an outline of the old skill, and 'skc show' answers with E002.";
  const old = { what: 'the compiled form', how: 'is older than its source', why, isUnusable: false };
  try {
    index.checkFresh();
    return index.sourceHash === runtime.manifest!.source_hash ? undefined : old;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return old;
  } finally {
    index.close();
  }
}

/** A project's sources are inside it. A manifest that says otherwise was not written by a build. */
function isOwnSource({ source, place }: StoreEntry): boolean {
  return place.project === undefined || isInside(realPath(place.project), source!);
}

function hasLinkTo(runtime: string, { roots }: Survey): boolean {
  return roots.all.some(({ links }) => links.some(({ target }) => target === runtime));
}

/** Reports stubs of skills that no longer exist. */
const orphanedBuild = defineCheck({
  id: 'orphaned-build',
  summary: 'The sources of compiled skills exist.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, sourcePath, runtime, isStored } = skill;
      if (runtime.manifest === undefined || source !== undefined || entry !== undefined) continue;
      const command = `skc clean ${name}`;
      yield {
        severity: 'warning',
        subject: runtime.dir,
        message: `'${name}' was compiled from ${sourcePath}, which is gone`,
        why: 'Agents still see it, but get nothing when they read further.',
        // A source elsewhere may be on a disk that is not mounted.
        ...(isStored
          ? { fix: FIX, repair: clean(skill, survey) }
          : { fix: `restore the source, or run '${command}'` }),
      };
    }
  },
});

function clean({ name, runtime, sourcePath }: StoreEntry, { context }: Survey): Repair {
  return {
    key: `clean ${runtime.dir}`,
    run: () => {
      if (hasSkillFile(sourcePath)) return;
      cleanRuntime({ dir: runtime.dir, name, source: sourcePath, isOwner: true }, context.workspace);
    },
  };
}

/** Reports skills that are not deployed anywhere. */
const notDeployed = defineCheck({
  id: 'not-deployed',
  summary: 'Every skill in the stores is deployed to an agent.',
  *find(survey) {
    const withdrawn = readWithdrawn(survey.context.workspace.user);
    for (const skill of survey.skills) {
      const { name, entry, source, sourcePath, runtime, isStored } = skill;
      // Installed for no agent on purpose.
      if (entry !== undefined || source === undefined || !isStored || isDeployed(skill, survey)) continue;
      // Switched off or denied.
      if (withdrawn[source] !== undefined) continue;
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

function isDeployed({ runtime, source }: StoreEntry, { roots }: Survey): boolean {
  if (runtime.deployed.some((path) => statusAt(path) !== undefined)) return true;
  return roots.all.some(
    ({ links, skills }) =>
      links.some(({ target }) => target === runtime.dir) ||
      skills.some(({ identity }) => identity === source),
  );
}

/** Reports stubs that lose features of their skill. */
const deployForm = defineCheck({
  id: 'deploy-form',
  summary: 'No stub loses a feature that agents need.',
  *find(survey) {
    for (const { name, runtime, source } of survey.skills) {
      if (source === undefined || runtime.manifest === undefined) continue;
      const { why = '', lost = [], deploy } = runtime.manifest;
      if (lost.length === 0) continue;
      yield {
        severity: 'warning',
        subject: runtime.dir,
        message: `the stub of '${name}' loses ${lost.join(', ')}`,
        why:
          deploy === 'stub'
            ? 'It was built as a stub (--stub or build.deploy).'
            : `It is a stub because ${why}.`,
        fix: deploy === 'stub' ? `skc build ${name} --whole` : 'leave it, or open the skill to agents',
      };
    }
  },
});

/** In the order of their findings. */
export const compiledSkills = checksOf('compiled skills', [
  staleBuild,
  orphanedBuild,
  notDeployed,
  deployForm,
]);
