// Steps of `skc build` for one skill: import it if asked, compile it, deploy it.

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { formatCount, orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  type Change,
  changeTogether,
  isInside,
  isThere,
  makePrivateDirectory,
  realPath,
  removePath,
  sha256,
} from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import type { Tokenizer } from '../../read/index/index.ts';
import {
  agentDirectoryOf,
  agents,
  isAgentTarget,
  resolveTargets,
  type Target,
} from '../../skill/agents/index.ts';
import {
  buildRecord,
  type DeployMode,
  isSkill,
  type LocatedSkill,
  type RuntimeBase,
  readBuildManifest,
  readSourcePath,
  runtimeBaseOf,
  type Skill,
  spellSourcePath,
  storeOwner,
} from '../../skill/skill/index.ts';
import {
  OWN_DIRECTORY,
  type Store,
  type StoreScope,
  storeAt,
  type Workspace,
} from '../../skill/workspace/index.ts';
import type { BuildOutcome } from './build-outcome.ts';
import { type BuildSkillOptions, type Built, buildSkill, type HideNested } from './build-skill.ts';
import { type DeployOptions, deploy, previewDeployments, refuseOwnPlaces } from './deploy.ts';
import { importSkill } from './import-skill.ts';
import { openForBuild } from './open-for-build.ts';

/** Options of a build. */
export interface BuildRequest {
  readonly global: boolean;
  readonly targets: readonly string[];
  /** `auto`: by the place of the skill. */
  readonly scope: StoreScope | 'auto';
  /** Whether targets or scope were named for this build; if not, a skill stays in the agent's directory that contains it. */
  readonly isPlaced?: boolean | undefined;
  /** The store for an import; by default the one of the skill's place. */
  readonly importScope?: StoreScope | undefined;
  readonly copy: boolean;
  readonly force: boolean;
  readonly import: boolean;
  readonly tokenizer: Tokenizer;
  readonly now: Date;
  /** The directories that get it, found and checked before; the targets are not looked at then. */
  readonly places?: readonly Target[] | undefined;
  /** Directories inside the skill that the stub leaves out. */
  readonly hides?: HideNested | undefined;
  /** Form of deployment; by default the form of the last build. */
  readonly deploy?: DeployMode | undefined;
  /** Whether what killed builds of it left in the directories of agents was removed before. */
  readonly isSwept?: boolean | undefined;
}

/** A built skill, and the diagnostics to report. */
type Reported = BuildOutcome & Pick<Built, 'diagnostics'>;

/**
 * Builds a skill. Deployment comes last, so that a refused one leaves a usable skill behind; a refused import leaves
 * everything as it was.
 */
export function buildAndDeploy(source: LocatedSkill, request: BuildRequest, workspace: Workspace): Reported {
  const to = destinationOf(source, request, workspace);
  return changeTogether((made) => {
    const imported = request.import ? importInto(workspace, source, { request, to }) : undefined;
    if (imported !== undefined) made(imported);
    return buildImported(imported?.skill ?? source, { imported, request, to }, workspace);
  });
}

function buildImported(
  skill: LocatedSkill,
  { imported, request, to }: { imported: InStore | undefined; request: BuildRequest; to: Destination },
  workspace: Workspace,
): Reported {
  const { home } = workspace;
  const base = imported === undefined ? to.base : chooseBase(skill, request, workspace);
  const { tokenizer, force, now, hides, deploy: mode } = request;
  const { targets } = to;
  const { backup, ...built } = buildSkill(isOpened(skill) ? skill : skill.dir, {
    base,
    home,
    tokenizer,
    force,
    now,
    hides,
    deploy: mode,
    imported: imported?.from,
    // Written down before anything is deployed, so that `clean` finds it whatever happens in between.
    deployedTo: (name) =>
      targets.map(({ dir }) => spellSourcePath(join(dir, name), { project: base.project, home })),
  });
  const { name, source_path: sourceDir, form } = built;
  refuseToHide(to, { name, source: sourceDir, force, workspace });
  const options = deployOptions(request, {
    base,
    home,
    name,
    form,
    source: sourceDir,
    imported: imported?.from,
  });
  const backups = [imported?.backup, backup].filter((path) => typeof path === 'string');
  const deployments = deploy(targets, options);
  const notes = [...to.notes, ...(to.agent === undefined || request.import ? [] : importNotes(built))];
  return { ...built, deployments, backups, notes };
}

/** Steps that a build would take, without taking them. */
export function previewBuild(source: LocatedSkill, request: BuildRequest, workspace: Workspace): Reported {
  const to = destinationOf(source, request, workspace);
  const { home } = workspace;
  const real = realPath(source.dir);
  const name = openForBuild(real).name;
  const store = to.store();
  const skill = request.import ? { dir: join(store.skills, name), scope: scopeIn(store, workspace) } : source;
  const base = request.import ? chooseBase(skill, request, workspace) : to.base;
  const { backup: _, ...built } = previewSkill(real, { ...request, base });
  refuseToHide(to, { name, source: real, force: request.force, workspace });
  const options = deployOptions(request, {
    base,
    home,
    name,
    form: built.form,
    source: request.import ? skill.dir : real,
    imported: request.import ? real : undefined,
  });
  const deployments = previewDeployments(to.targets, options);
  return { ...built, deployments, backups: [], notes: [...to.notes] };
}

/** Where a build goes. */
interface Destination {
  /** Where the skill is compiled to, unless it is imported first. */
  readonly base: RuntimeBase;
  readonly targets: readonly Target[];
  readonly scope: StoreScope;
  /** The store for an import: it follows the place of the skill. */
  store(): Store;
  /** The agent's directory that contains the skill. */
  readonly agent: ReturnType<typeof agentDirectoryOf>;
  readonly notes: readonly string[];
}

/**
 * Chooses where a build deploys. A source in a store goes to the user's agents, any other directory of a project to the
 * project's, and a skill in an agent's directory stays there. Flags and configuration win.
 */
function destinationOf(skill: LocatedSkill, request: BuildRequest, workspace: Workspace): Destination {
  if (request.places !== undefined && request.scope !== 'auto') {
    const { places: targets, scope } = request;
    const { global, importScope = scope } = request;
    const store = () => (global ? workspace.user : workspace.store(importScope));
    const base = chooseBase(skill, request, workspace);
    return { base, targets, scope, store, agent: undefined, notes: [] };
  }
  const { home } = workspace;
  const real = realPath(skill.dir);
  const isStored = skill.scope !== undefined || storeOwner(real) !== undefined;
  const agent = isStored ? undefined : agentDirectoryOf(real, workspace);
  const base = chooseBase(skill, request, workspace);
  const { project } = base;
  const scope =
    request.scope !== 'auto' ? request.scope : isStored || project === undefined ? 'user' : 'project';
  const store = () => storeFor({ agent, project }, request, workspace);
  const from = isStored ? buildRecord(home).importedFrom(real) : undefined;
  if (request.isPlaced !== true && (agent !== undefined || from !== undefined)) {
    const isRead = agent !== undefined && !request.import;
    const notes = isRead
      ? [`agents read it in ${agent.dir}: nothing to deploy`]
      : [`'skc build --release ${basename(real)}' puts it back where it was`];
    const target = agent ?? agentDirectoryOf(from!, workspace) ?? { id: dirname(from!), dir: dirname(from!) };
    return { base, targets: isRead ? [] : [target], scope, store, agent, notes };
  }
  const deployedIn = scope === 'project' ? workspace.store('project').base : undefined;
  const targets = resolveTargets(request.targets, workspace, deployedIn);
  // Links in a project lead elsewhere, and parts of it belong to other programs.
  const around = workspace.project?.dir;
  if (around !== undefined)
    for (const target of targets) {
      if (!isInside(around, target.dir)) continue;
      // These errors say more than E016, which refuses all of `.skillc`.
      const name = basename(real);
      const runtimeDir = join(base.dir, name);
      refuseOwnPlaces(target, { name, source: real, runtimeDir });
      isAgentTarget(around, target.dir);
    }
  const isChosen = request.isPlaced === true || request.scope !== 'auto' || request.global;
  const isSilent = isChosen || around === undefined || targets.length === 0;
  return { base, targets, scope, store, agent, notes: isSilent ? [] : [otherWay[scope]] };
}

/** The store of an import: the user's for what the user's agents read, and for everything outside a project. */
function storeFor(
  { agent, project }: { agent: Destination['agent']; project: string | undefined },
  { global, importScope }: BuildRequest,
  workspace: Workspace,
): Store {
  if (global) return workspace.user;
  if (importScope !== undefined) return workspace.store(importScope);
  if (project !== undefined && (agent === undefined || agent.project !== undefined))
    return storeAt('project', project);
  return agent?.project === undefined ? workspace.user : storeAt('project', agent.project);
}

const otherWay = {
  project: 'for this project; --scope user links it for all your projects',
  user: 'for all your projects; --scope project links it for this one only',
} as const;

const scopeIn = (store: Store, { stores }: Workspace) =>
  stores.some(({ skills }) => skills === store.skills) ? store.scope : undefined;

/** The difference an import would make to agents that read the skill where it is. */
function importNotes({
  name,
  source_path,
  runtime_path,
  form,
}: Pick<Built, 'name' | 'source_path' | 'runtime_path' | 'form'>): string[] {
  if (form === 'whole') return [];
  const [whole, stub] = [source_path, runtime_path].map((dir) =>
    estimateTokens(orUndefined(() => readFileSync(join(dir, 'SKILL.md'), 'utf8')) ?? ''),
  );
  const tokens = `${formatCount(stub!, 'token')} instead of ${whole}`;
  return [
    `--import would move it to skc's store and leave a stub there: ${tokens}; --release ${name} undoes that`,
  ];
}

/** E019 if agents would read the skill for all projects instead of another one that the project has under that name. */
function refuseToHide(
  { targets, scope }: Destination,
  { name, source, force, workspace }: { name: string; source: string; force: boolean; workspace: Workspace },
): void {
  const project = workspace.project?.dir;
  if (project === undefined || scope === 'project' || force) return;
  for (const { id, dir } of targets) {
    const agent = agents.find((one) => one.id === id);
    if (agent === undefined) continue;
    const hidden = join(project, agent.project, name);
    if (!isSkill(hidden) || hidden === join(dir, name)) continue;
    if (buildRecord(workspace.home).place(hidden) !== undefined) continue;
    const isItself = realPath(hidden) === source;
    const why = `it would hide ${isItself ? 'the skill itself' : "the project's own skill"} in ${hidden}, in this and every project`;
    const help = 'deploy it with --scope project or to another --target, or use --force';
    throw SkillwrightError.of('E019', { path: join(dir, name), why }, { help });
  }
}

function chooseBase(skill: LocatedSkill, { global }: BuildRequest, workspace: Workspace): RuntimeBase {
  return global ? { dir: workspace.user.runtime, project: undefined } : runtimeBaseOf(skill, workspace);
}

function deployOptions(
  request: BuildRequest,
  {
    base,
    ...made
  }: Pick<DeployOptions, 'name' | 'form' | 'source' | 'home' | 'imported'> & { base: RuntimeBase },
): DeployOptions {
  const runtimeDir = join(base.dir, made.name);
  return { ...request, ...made, platform: process.platform, project: base.project, runtimeDir };
}

const isOpened = (skill: LocatedSkill): skill is Skill & LocatedSkill => 'parts' in skill;

/** A skill copied into a store. */
interface InStore extends Change {
  readonly skill: LocatedSkill;
  readonly backup: string | null;
  readonly from: string;
}

function importInto(
  workspace: Workspace,
  { dir }: LocatedSkill,
  { request, to }: { request: BuildRequest; to: Destination },
): InStore {
  const { targets } = to;
  const store = to.store();
  const scope = scopeIn(store, workspace);
  const from = realPath(dir);
  const { force, now } = request;
  const { home } = workspace;
  // A link takes the skill's place in the agent's directory.
  const isAdopted = targets.some((target) => realPath(target.dir) === dirname(from));
  let restoreRuntime = (): void => {};
  const imported = importSkill(dir, store, {
    force,
    now,
    home,
    check(name, place) {
      if (isAdopted && basename(from) !== name) {
        const help = `rename the directory to '${name}' first`;
        throw SkillwrightError.of(
          'E100',
          { why: `the directory ${from} has another name than its skill` },
          { help },
        );
      }
      const base = chooseBase({ dir: place, scope }, request, workspace);
      const runtime = join(base.dir, name);
      const isBuilt = isThere(runtime);
      restoreRuntime = () => {
        if (isBuilt && realPath(readSource(runtime, home) ?? '') !== place) return;
        if (isBuilt) buildSkill(from, { ...request, base, home, force: true });
        else removePath(runtime, { recursive: true, force: true });
      };
      refuseToHide(to, { name, source: from, force, workspace });
      const made = { base, home, name, form: 'stub', source: place, imported: from } as const;
      previewDeployments(targets, deployOptions(request, made));
    },
  });
  if (isAdopted) buildRecord(home).addImport(imported.dir, from);
  const undo = (): void => {
    if (isAdopted) buildRecord(home).forget(imported.dir);
    imported.undo();
    restoreRuntime();
  };
  return { skill: { dir: imported.dir, scope }, backup: imported.backup, from, undo };
}

/** The source that a runtime directory was compiled from. */
function readSource(runtime: string, home: string): string | undefined {
  const manifest = readBuildManifest(runtime);
  return manifest === undefined ? undefined : readSourcePath(manifest, runtime, home);
}

/** The skill in a canonical directory as a build would compile it: it does, elsewhere. */
function previewSkill(
  dir: string,
  {
    base,
    deploy,
    tokenizer,
    now,
    hides,
  }: { base: RuntimeBase } & Pick<BuildSkillOptions, 'deploy' | 'tokenizer' | 'now' | 'hides'>,
): Built {
  const root = makePrivateDirectory();
  try {
    const runtime = join(base.dir, openForBuild(dir).name);
    const before = readBuildManifest(runtime);
    const elsewhere = {
      base: { dir: join(root.path, OWN_DIRECTORY, 'runtime'), project: undefined },
      home: root.path,
    };
    const options = { tokenizer, now, hides, force: false, deploy: deploy ?? before?.deploy };
    const built = buildSkill(dir, { ...elsewhere, ...options });
    const made = readBuildManifest(built.runtime_path);
    const isSame =
      before?.source_hash === made?.source_hash &&
      orUndefined(() => sha256(readFileSync(join(runtime, 'SKILL.md')))) === made?.stub_hash &&
      before?.form === made?.form;
    const status = before === undefined ? 'created' : isSame ? 'unchanged' : 'updated';
    return { ...built, runtime_path: runtime, status, indexed: 0 };
  } finally {
    root.remove();
  }
}
