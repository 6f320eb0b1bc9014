// What `skc build` does to one skill: import it if asked, compile it, deploy it.

import { join } from 'node:path';
import { compareBytes } from '../../base/files/index.ts';
import type { Tokenizer } from '../../read/index/index.ts';
import { resolveTargets } from '../../skill/agents/index.ts';
import {
  buildRecord,
  type LocatedSkill,
  readBuildManifest,
  runtimeBaseOf,
  spellSourcePath,
  writeBuildManifest,
} from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { type BuiltSkill, buildSkill } from './build-skill.ts';
import { type Deployment, deploy } from './deploy.ts';
import type { HideNested } from './hide-nested.ts';
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
  /** Where targets that are relative paths start; the working directory by default. */
  readonly targetBase?: string | undefined;
  /** Which directories inside the skill the stub leaves out. */
  readonly hides?: HideNested | undefined;
}

/** A built skill and where it went. */
export interface BuildOutcome extends Omit<BuiltSkill, 'backup'> {
  readonly deployments: readonly Deployment[];
  /** Where things that stood in the way of a forced build are kept, those of deployments excepted. */
  readonly backups: readonly string[];
}

/** Builds a skill. Deployment comes last, so that a refused one leaves a usable skill behind. */
export function buildAndDeploy(
  source: LocatedSkill,
  request: BuildRequest,
  workspace: Workspace,
): BuildOutcome {
  const deployedIn = request.scope === 'project' ? workspace.store('project').base : undefined;
  const { home } = workspace;
  const place = { cwd: request.targetBase ?? workspace.cwd, home, env: workspace.env };
  const targets = resolveTargets(request.targets, place, deployedIn);
  const imported = request.import ? importInto(workspace, source, request) : undefined;
  const skill = imported?.skill ?? source;
  const base = request.global
    ? { dir: workspace.user.runtime, project: undefined }
    : runtimeBaseOf(skill, workspace);
  const { tokenizer, force, copy, now } = request;
  const { backup, ...built } = buildSkill(skill.dir, {
    base,
    home,
    tokenizer,
    force,
    now,
    hides: request.hides,
  });
  const { name, source: sourceDir, runtime: runtimeDir } = built;
  const bases = { project: base.project, home };
  recordDeployments(
    runtimeDir,
    targets.map(({ dir }) => spellSourcePath(join(dir, name), bases)),
  );
  const { platform } = process;
  const options = { ...bases, runtimeDir, source: sourceDir, name, copy, force, now, platform };
  const backups = [imported?.backup, backup].filter((path) => typeof path === 'string');
  const record = buildRecord(home);
  const deployments = targets.map((target) => {
    const deployment = deploy(target, options);
    record.addPlace(deployment.path, runtimeDir);
    return deployment;
  });
  return { ...built, deployments, backups };
}

/** Written down before anything is deployed, so that `clean` finds it whatever happens in between. */
function recordDeployments(runtimeDir: string, places: readonly string[]): void {
  const manifest = readBuildManifest(runtimeDir);
  const known = manifest?.deployed ?? [];
  const deployed = [...new Set([...known, ...places])].sort(compareBytes);
  if (manifest !== undefined && deployed.length > known.length)
    writeBuildManifest(runtimeDir, { ...manifest, deployed });
}

function importInto(
  workspace: Workspace,
  { dir }: LocatedSkill,
  request: BuildRequest,
): { skill: LocatedSkill; backup: string | null } {
  const store = workspace.store(request.global ? 'user' : undefined);
  const imported = importSkill(dir, store.skills, { force: request.force, now: request.now });
  return { skill: { dir: imported.dir, scope: store.scope }, backup: imported.backup };
}
