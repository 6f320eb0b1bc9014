// Checks that compiled skills match their sources.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isInside, realPath, sha256 } from '../../../base/files/index.ts';
import { isBeside, isForeignRuntime } from '../../../make/compile/index.ts';
import { openIndex, type SkillIndex } from '../../../read/index/index.ts';
import { buildRecord } from '../../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../../skill/workspace/index.ts';
import { defineCheck, FIX } from '../check.ts';
import { recompile } from '../repairs.ts';
import { isDrifted, type StoreSkill } from '../store-skill.ts';
import type { Survey } from '../survey.ts';

/** Reports skills whose compiled form is missing, damaged or older than the source. */
export const staleBuild = defineCheck({
  id: 'stale-build',
  group: 'compiled skills',
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

function findWrong(skill: StoreSkill, survey: Survey): Wrong | undefined {
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
  if (!isBeside(runtime.dir, runtime.manifest.beside ?? [], skill.source!))
    return {
      what: 'a link to the files',
      how: 'is missing next to the stub',
      why: "Paths in the skill's text do not work.",
      isUnusable: true,
    };
  return findWrongIndex(skill, survey);
}

function findWrongIndex(
  { name, source, runtime }: StoreSkill,
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
function isOwnSource({ source, place }: StoreSkill): boolean {
  return place.project === undefined || isInside(realPath(place.project), source!);
}

function hasLinkTo(runtime: string, { roots }: Survey): boolean {
  return roots.all.some(({ links }) => links.some(({ target }) => target === runtime));
}
