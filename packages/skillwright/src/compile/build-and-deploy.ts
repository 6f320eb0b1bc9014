// What `skc build` does to one skill: import it if asked, compile it, deploy it.

import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import type { Tokenizer } from '../index/analyze-text.ts';
import { findProject } from '../places/find-project.ts';
import { runtimeBaseOf } from '../places/locate-runtime.ts';
import { resolveSkill } from '../places/resolve-skill.ts';
import { storePaths } from '../places/store-paths.ts';
import { type BuiltSkill, buildSkill } from './build-skill.ts';
import { type Deployment, deploy } from './deploy.ts';
import { importSkill } from './import-skill.ts';
import { resolveTargets, type TargetContext } from './resolve-targets.ts';

/** How skills are built. */
export interface BuildRequest {
  readonly global: boolean;
  readonly targets: readonly string[];
  readonly scope: 'project' | 'user';
  readonly copy: boolean;
  readonly force: boolean;
  readonly import: boolean;
  readonly tokenizer: Tokenizer;
  readonly now: Date;
}

/** A built skill and where it went. */
export interface BuildOutcome extends BuiltSkill {
  readonly deployments: readonly Deployment[];
}

/** Builds the skill a word means. Deployment comes last, so that a refused one leaves a usable skill behind. */
export function buildAndDeploy(word: string, request: BuildRequest, context: TargetContext): BuildOutcome {
  const project = findProject(context.cwd, context.home);
  if (request.scope === 'project' && project === undefined) {
    throw SkillwrightError.of('E100', { why: 'not inside a project' }, { help: "run 'skc init' first" });
  }
  const targets = resolveTargets(request.targets, context, request.scope === 'project' ? project : undefined);
  const skill = request.import ? importNamed(word, request, context) : resolveSkill(word, context);
  const base = request.global
    ? { dir: storePaths(context.home).runtime, project: undefined }
    : runtimeBaseOf(skill, context);
  const { home } = context;
  const { tokenizer, force, copy, now } = request;
  const built = buildSkill(skill.dir, { base, home, tokenizer, force, now });
  const options = {
    runtimeDir: built.runtime,
    name: built.name,
    copy,
    force,
    now,
    platform: process.platform,
    project: base.project,
  };
  return { ...built, deployments: targets.map((target) => deploy(target, options)) };
}

function importNamed(
  word: string,
  request: BuildRequest,
  context: TargetContext,
): ReturnType<typeof resolveSkill> {
  const { dir } = resolveSkill(word, context);
  const base = request.global ? context.home : (findProject(context.cwd, context.home) ?? context.home);
  const imported = importSkill(dir, storePaths(base).skills, { force: request.force, now: request.now });
  return { dir: imported.dir, scope: base === context.home ? 'user' : 'project' };
}
