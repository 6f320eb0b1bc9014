// Steps of `skc build` for one skill: import it if asked, compile it, deploy it.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { hashTree, isInside, realPath, sha256 } from '../../base/files/index.ts';
import { foldText, readMarkdown } from '../../base/markdown/index.ts';
import { readSkillFile, type Tokenizer } from '../../read/index/index.ts';
import { isAgentTarget, resolveTargets, type Target } from '../../skill/agents/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import {
  type DeployMode,
  type LocatedSkill,
  type RuntimeBase,
  readBuildManifest,
  runtimeBaseOf,
  type Skill,
  spellSourcePath,
} from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { type BuildSkillOptions, type Built, buildSkill, diagnosticsOf } from './build-skill.ts';
import { type Deployment, type DeployOptions, deploy, previewDeployments } from './deploy.ts';
import type { HideNested } from './hide-nested.ts';
import { importSkill } from './import-skill.ts';
import type { CountHeadings } from './list-sections.ts';
import { checkPaths, openForBuild } from './open-for-build.ts';
import { compileStub } from './render-stub.ts';

/** Options of a build. */
export interface BuildRequest {
  readonly global: boolean;
  readonly targets: readonly string[];
  readonly scope: 'project' | 'user';
  readonly copy: boolean;
  readonly force: boolean;
  readonly import: boolean;
  readonly tokenizer: Tokenizer;
  readonly now: Date;
  /** Base of targets that are relative paths; the working directory by default. */
  readonly targetBase?: string | undefined;
  /** Directories inside the skill that the stub leaves out. */
  readonly hides?: HideNested | undefined;
  /** Form of deployment; by default the form of the last build. */
  readonly deploy?: DeployMode | undefined;
  /** Whether what killed builds of it left in the directories of agents was removed before. */
  readonly isSwept?: boolean | undefined;
}

/** A built skill and its deployments. */
export interface BuildOutcome extends Omit<Built, 'backup'> {
  readonly deployments: readonly Deployment[];
  /** Backups that a forced build made, without those of deployments. */
  readonly backups: readonly string[];
}

/**
 * Builds a skill. Deployment comes last, so that a refused one leaves a usable skill behind; an import is refused before
 * anything is copied.
 */
export function buildAndDeploy(
  source: LocatedSkill,
  request: BuildRequest,
  workspace: Workspace,
): BuildOutcome {
  const targets = targetsOf(request, workspace);
  const imported = request.import ? importInto(workspace, source, { request, targets }) : undefined;
  const skill = imported?.skill ?? source;
  const { home } = workspace;
  const base = baseOf(skill, request, workspace);
  const { tokenizer, force, now, hides, deploy: mode } = request;
  const { backup, ...built } = buildSkill(isOpened(skill) ? skill : skill.dir, {
    base,
    home,
    tokenizer,
    force,
    now,
    hides,
    deploy: mode,
    // Written down before anything is deployed, so that `clean` finds it whatever happens in between.
    deployedTo: (name) =>
      targets.map(({ dir }) => spellSourcePath(join(dir, name), { project: base.project, home })),
  });
  const { name, source: sourceDir, form } = built;
  const options = deployOptions(request, {
    base,
    home,
    name,
    form,
    source: sourceDir,
    imported: imported?.from,
  });
  const backups = [imported?.backup, backup].filter((path) => typeof path === 'string');
  return { ...built, deployments: deploy(targets, options), backups };
}

/** Steps that a build would take, without taking them. */
export function previewBuild(
  source: LocatedSkill,
  request: BuildRequest,
  workspace: Workspace,
): BuildOutcome {
  const targets = targetsOf(request, workspace);
  const { home } = workspace;
  const real = realPath(source.dir);
  const store = storeOf(request, workspace);
  const name = openForBuild(real).name;
  const skill = request.import ? { dir: join(store.skills, name), scope: store.scope } : source;
  const base = baseOf(request.import ? skill : source, request, workspace);
  const built = previewSkill(real, { base, hides: request.hides, deploy: request.deploy });
  const options = deployOptions(request, {
    base,
    home,
    name,
    form: built.form,
    source: request.import ? skill.dir : real,
    imported: request.import ? real : undefined,
  });
  return { ...built, deployments: previewDeployments(targets, options), backups: [] };
}

function targetsOf(request: BuildRequest, workspace: Workspace): Target[] {
  const deployedIn = request.scope === 'project' ? workspace.store('project').base : undefined;
  const { home, env } = workspace;
  const base = request.targetBase ?? workspace.cwd;
  const targets = resolveTargets(request.targets, { cwd: base, home, env }, deployedIn);
  // Links in a project lead elsewhere, and parts of it belong to other programs.
  const project = workspace.project?.dir;
  if (project !== undefined)
    for (const { dir } of targets) if (isInside(project, dir)) isAgentTarget(project, dir);
  return targets;
}

function baseOf(skill: LocatedSkill, { global }: BuildRequest, workspace: Workspace): RuntimeBase {
  return global ? { dir: workspace.user.runtime, project: undefined } : runtimeBaseOf(skill, workspace);
}

function deployOptions(
  { copy, force, now, isSwept }: BuildRequest,
  made: Pick<DeployOptions, 'name' | 'form' | 'source' | 'home' | 'imported'> & { base: RuntimeBase },
): DeployOptions {
  const { base, ...rest } = made;
  const { platform } = process;
  return {
    ...rest,
    copy,
    force,
    now,
    isSwept,
    platform,
    project: base.project,
    runtimeDir: join(base.dir, made.name),
  };
}

const isOpened = (skill: LocatedSkill): skill is Skill & LocatedSkill => 'parts' in skill;

const storeOf = (request: BuildRequest, workspace: Workspace) =>
  workspace.store(request.global ? 'user' : undefined);

function importInto(
  workspace: Workspace,
  { dir }: LocatedSkill,
  { request, targets }: { request: BuildRequest; targets: readonly Target[] },
): { skill: LocatedSkill; backup: string | null; from: string } {
  const store = storeOf(request, workspace);
  const from = realPath(dir);
  const { force, now } = request;
  const { home } = workspace;
  const imported = importSkill(dir, store, {
    force,
    now,
    home,
    check(name, place) {
      const base = baseOf({ dir: place, scope: store.scope }, request, workspace);
      const made = { base, home, name, form: 'stub', source: place, imported: from } as const;
      previewDeployments(targets, deployOptions(request, made));
    },
  });
  return { skill: { dir: imported.dir, scope: store.scope }, backup: imported.backup, from };
}

/** The skill in a canonical directory as a build would compile it. */
function previewSkill(
  dir: string,
  { base, hides, deploy }: { base: RuntimeBase } & Pick<BuildSkillOptions, 'hides' | 'deploy'>,
): Omit<Built, 'backup'> {
  const source = openForBuild(dir);
  const paths = checkPaths(dir).flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  const read = paths.map((path) => ({ path, found: readSkillFile(dir, path) }));
  const files = read.map(({ path, found }) => found?.file ?? { path, sha256: 'missing', indexed: false });
  const runtime = join(base.dir, source.name);
  const before = readBuildManifest(runtime);
  const mode = deploy ?? before?.deploy ?? 'auto';
  const {
    stub,
    isWhole: _,
    left_out,
    ...form
  } = compileStub(source, {
    files,
    hidden: hides?.(dir, paths) ?? [],
    mode,
    count: countHeadings(read.map(({ path, found }) => ({ path, text: found?.text }))),
  });
  const isSame =
    before?.source_hash === hashTree(files) &&
    orUndefined(() => sha256(readFileSync(join(runtime, 'SKILL.md')))) === sha256(stub) &&
    before.form === form.form;
  return {
    name: source.name,
    source: dir,
    runtime,
    status: before === undefined ? 'created' : isSame ? 'unchanged' : 'updated',
    indexed: 0,
    files: files.length,
    bytes: paths.reduce((sum, path) => sum + statSync(join(dir, path)).size, 0),
    form: form.form,
    why: form.why,
    beside: form.beside,
    leftOut: left_out,
    diagnostics: diagnosticsOf(source, { skill: source.name, deploy: mode, ...form }),
  };
}

/** The counts that the index would have, from the files themselves. */
function countHeadings(files: readonly { path: string; text: string | undefined }[]): CountHeadings {
  const counts = new Map<string, number>();
  for (const { path, text = '' } of files)
    if (path.toLowerCase().endsWith('.md'))
      for (const heading of readMarkdown(readFrontmatter(text).body).headings)
        counts.set(foldText(heading.text), (counts.get(foldText(heading.text)) ?? 0) + 1);
  return (text) => counts.get(foldText(text)) ?? 0;
}
