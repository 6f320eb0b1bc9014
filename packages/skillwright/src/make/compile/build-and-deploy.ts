// What `skc build` does to one skill: import it if asked, compile it, deploy it.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import type { Tokenizer } from '../../read/index/index.ts';
import { resolveTargets, type TargetContext } from '../../skill/agents/index.ts';
import {
  findProject,
  type ResolvedSkill,
  readBuildManifest,
  resolveSkill,
  runtimeBaseOf,
  spellSourcePath,
  storePaths,
  writeBuildManifest,
} from '../../skill/places/index.ts';
import { type BuiltSkill, buildSkill } from './build-skill.ts';
import { type Deployment, deploy } from './deploy.ts';
import { importSkill } from './import-skill.ts';

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
export interface BuildOutcome extends Omit<BuiltSkill, 'backup'> {
  readonly deployments: readonly Deployment[];
  /** Where things that stood in the way of a forced build are kept, those of deployments excepted. */
  readonly backups: readonly string[];
}

/** Builds the skill a word means. Deployment comes last, so that a refused one leaves a usable skill behind. */
export function buildAndDeploy(word: string, request: BuildRequest, context: TargetContext): BuildOutcome {
  const project = findProject(context.cwd, context.home);
  if (request.scope === 'project' && project === undefined) {
    throw SkillwrightError.of('E100', { why: 'not inside a project' }, { help: "run 'skc init' first" });
  }
  const targets = resolveTargets(request.targets, context, request.scope === 'project' ? project : undefined);
  const imported = request.import ? importNamed(word, request, context) : undefined;
  const skill = imported?.skill ?? resolveSkill(word, context);
  const base = request.global
    ? { dir: storePaths(context.home).runtime, project: undefined }
    : runtimeBaseOf(skill, context);
  const { home } = context;
  const { tokenizer, force, copy, now } = request;
  const { backup, ...built } = buildSkill(skill.dir, { base, home, tokenizer, force, now });
  const { name, source, runtime: runtimeDir } = built;
  const bases = { project: base.project, home };
  recordDeployments(
    runtimeDir,
    targets.map(({ dir }) => spellSourcePath(join(dir, name), bases)),
  );
  const { platform } = process;
  const options = { ...bases, runtimeDir, source, name, copy, force, now, platform };
  const backups = [imported?.backup, backup].filter((path) => typeof path === 'string');
  return { ...built, deployments: targets.map((target) => deploy(target, options)), backups };
}

/** Written down before anything is deployed, so that `clean` finds it whatever happens in between. */
function recordDeployments(runtimeDir: string, places: readonly string[]): void {
  const manifest = readBuildManifest(runtimeDir);
  const known = manifest?.deployed ?? [];
  const deployed = [...new Set([...known, ...places])].sort(compareBytes);
  if (manifest !== undefined && deployed.length > known.length)
    writeBuildManifest(runtimeDir, { ...manifest, deployed });
}

function importNamed(
  word: string,
  request: BuildRequest,
  context: TargetContext,
): { skill: ResolvedSkill; backup: string | null } {
  const { dir } = resolveSkill(word, context);
  const base = request.global ? context.home : (findProject(context.cwd, context.home) ?? context.home);
  const imported = importSkill(dir, storePaths(base).skills, { force: request.force, now: request.now });
  const scope = base === context.home ? 'user' : 'project';
  return { skill: { dir: imported.dir, scope }, backup: imported.backup };
}
