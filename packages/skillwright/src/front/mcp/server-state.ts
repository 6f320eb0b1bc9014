// State of one server for its lifetime.

import { sha256 } from '../../base/files/index.ts';
import {
  createCatalogKeeper,
  loadCatalog,
  type SkillCatalog,
  type SkillRecord,
} from '../../read/catalog/index.ts';
import { createIndexCache } from '../../read/index/index.ts';
import { keepWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import { type CommandContext, type FrontContext, openContext } from '../commands/index.ts';
import { loadTools, type ServedTool } from './load-tools.ts';
import { createSkillReader, type SkillManifest, type SkillReader } from './skill-reader.ts';

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

/** One skill. */
export interface ServedSkill extends SkillManifest {
  /** Canonical directory of the source. */
  readonly dir: string;
  readonly name: string;
  /** Root URI of its files, such as `skill://project/pdf-forms`. */
  readonly root: string;
  /** Name shown to users, with the scope in front when another skill has the same name. */
  readonly label: string;
}

/** Every skill once, in catalog order. Skills that share a name get different roots and labels. */
function nameServedSkills(records: readonly SkillRecord[], reader: SkillReader): ServedSkill[] {
  const roots = new Set<string>();
  const labels = new Set<string>();
  const take = (used: Set<string>, candidates: readonly string[]): string => {
    const free = candidates.find((candidate) => !used.has(candidate))!;
    used.add(free);
    return free;
  };
  reader.retain(new Set(records.map(({ dir }) => dir)));
  return records.flatMap(({ dir, name, scope }) => {
    const manifest = reader.manifest(dir);
    if (manifest === undefined) return [];
    // Skill names cannot start with ~, so this root is unique.
    const mark = `~${sha256(dir).slice(0, 12)}`;
    const place = encodeURIComponent(name);
    const root = take(roots, [`skill://${scope}/${place}`, `skill://${scope}/${mark}/${place}`]);
    const label = take(labels, [name, `${scope}:${name}`, `${scope}:${mark}:${name}`]);
    return [{ ...manifest, dir, name, root, label }];
  });
}
