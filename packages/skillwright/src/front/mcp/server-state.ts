// State of one server for its lifetime.

import { createCatalogKeeper, loadCatalog, type SkillCatalog } from '../../read/catalog/index.ts';
import { createIndexCache } from '../../read/index/index.ts';
import { keepWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import { type CommandContext, type FrontContext, openContext } from '../commands/index.ts';
import { nameServedSkills, type ServedSkill } from './list-served-skills.ts';
import { loadTools, type ServedTool } from './load-tools.ts';
import { createSkillReader, type SkillReader } from './skill-reader.ts';

/** Shared by all connections. */
export interface ServerState {
  /** Context of every call; the working directory differs per call. */
  readonly context: FrontContext;
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly reader: SkillReader;
  /** Context as an agent in a working directory sees it. */
  open(front: FrontContext): Promise<CommandContext>;
  /** The skills an agent in a working directory may see. */
  listSkills(front: FrontContext): Promise<ServedSkill[]>;
  /** The current workspace of a working directory. */
  workspace(cwd: string): Promise<Workspace>;
  close(): void;
}

/** Most working directories remembered; the oldest are forgotten. */
const MAX_DIRECTORIES = 16;

/** How long names are cached. */
const KNOWN_MS = 2000;

/** Creates the state of a server in the context of its command. It acts on behalf of a model. */
export async function openServerState(surroundings: CommandContext): Promise<ServerState> {
  const indexes = createIndexCache();
  const reader = createSkillReader();
  const keepCatalog = createCatalogKeeper();
  const workspaces = new Map<string, () => Promise<Workspace>>();
  const catalogs = new Map<string, { at: number; catalog: Promise<SkillCatalog> }>();
  const { home, env } = surroundings.workspace;

  const workspace = (cwd: string): Promise<Workspace> => {
    const known = workspaces.get(cwd) ?? keepWorkspace({ cwd, home, env });
    workspaces.delete(cwd);
    workspaces.set(cwd, known);
    for (const oldest of [...workspaces.keys()].slice(0, -MAX_DIRECTORIES)) workspaces.delete(oldest);
    return known();
  };
  const catalog = (place: Workspace, { fresh = false } = {}): Promise<SkillCatalog> => {
    const known = catalogs.get(place.cwd);
    const isRecent = known !== undefined && performance.now() - known.at < KNOWN_MS;
    if (isRecent && !fresh) return known.catalog;
    const loading = loadCatalog(place).then((loaded) => keepCatalog(place.cwd, loaded));
    catalogs.clear();
    catalogs.set(place.cwd, { at: performance.now(), catalog: loading });
    loading.catch(() => catalogs.delete(place.cwd));
    return loading;
  };
  const { now, report, note, progress, launch } = surroundings;
  const context: FrontContext = {
    cwd: surroundings.workspace.cwd,
    home,
    env,
    by: 'model',
    isBudgeted: true,
    now,
    report,
    note,
    progress,
    launch,
    signal: surroundings.signal,
    indexes,
    workspace,
    catalog,
  };
  return {
    context,
    tools: await loadTools(),
    reader,
    workspace,
    open: openContext,
    async listSkills(front) {
      const { access } = await openContext(front);
      const { visible } = await access.view(await access.catalog({ fresh: true }));
      return nameServedSkills(visible.skills, reader);
    },
    close: () => indexes.close(),
  };
}
