// Keeps a catalog up to date.

import { type FSWatcher, watch } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { isDirectory } from '../../base/files/index.ts';
import { OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';
import { type CatalogChanges, compareCatalogs, hasSameErrors } from './compare-catalogs.ts';
import type { Discovery } from './list-skill-roots.ts';
import { loadCatalog } from './load-catalog.ts';
import type { SkillCatalog } from './skill-record.ts';

/** A watched catalog. */
export interface CatalogWatch {
  /** The latest catalog. */
  readonly catalog: SkillCatalog;
  close(): void;
}

/** Watch options. */
export interface WatchOptions {
  /** Opens the current workspace; called again on every change. */
  readonly open: () => Promise<Workspace>;
  readonly discovery?: Discovery | undefined;
  /** How long to wait for more events before reading the catalog again. */
  readonly settleMs?: number;
  /** How often to poll where the system does not report changes. */
  readonly pollMs?: number;
  readonly onError?: (error: unknown) => void;
  /** Called after every reload, even when the catalog is the same: rules that hide skills may have changed. */
  readonly onReload?: () => void;
}

const SETTLE_MS = 100;
const POLL_MS = 2000;

/** Trees with more directories are polled, because a watch for each would cost the system too much. */
const MAX_WATCHED_DIRECTORIES = 4000;

/**
 * Calls `onChange` with the new catalog whenever skills, their state or their roots change, until closed.
 * Returns the first catalog.
 */
export async function watchCatalog(
  options: WatchOptions,
  onChange: (catalog: SkillCatalog, changes: CatalogChanges) => void,
): Promise<CatalogWatch> {
  const load = async () => {
    const workspace = await options.open();
    return { workspace, catalog: await loadCatalog(workspace, options.discovery) };
  };
  let { workspace, catalog } = await load();
  let isClosed = false;
  let isLoading = false;
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();
  /** Trees with added or removed entries. Only a new watch sees a directory that was replaced at once. */
  const outdated = new Set<string>();
  let poll: NodeJS.Timeout | undefined;

  const reload = async (): Promise<void> => {
    if (isClosed) return;
    if (isLoading) {
      isStale = true;
      return;
    }
    isLoading = true;
    try {
      const loaded = await load();
      if (isClosed) return;
      const before = catalog;
      const next = loaded.catalog;
      ({ workspace, catalog } = loaded);
      observe();
      const changes = compareCatalogs(before, next);
      const isDifferent = Object.values(changes).some((records) => records.length > 0);
      if (isDifferent || !hasSameErrors(before, next)) onChange(next, changes);
      options.onReload?.();
    } catch (error) {
      options.onError?.(error);
    } finally {
      isLoading = false;
      if (isStale) {
        isStale = false;
        schedule();
      }
    }
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(reload, options.settleMs ?? SETTLE_MS);
  };
  const startPolling = (): void => {
    poll ??= setInterval(reload, options.pollMs ?? POLL_MS).unref();
  };

  /** Watches exactly the relevant paths. */
  const observe = (): void => {
    const places = listPlaces(catalog, workspace);
    const wanted = new Map(places.map((place) => [place.path, place]));
    for (const [path, watcher] of watchers) {
      if (wanted.has(path) && !outdated.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    // One more check finds changes made before the new watch.
    if (outdated.size > 0) schedule();
    outdated.clear();
    const directories = catalog.roots.reduce((sum, root) => sum + root.directories, 0);
    if (directories > MAX_WATCHED_DIRECTORIES) startPolling();
    for (const { path, whole, names } of wanted.values()) {
      if (watchers.has(path) || (whole && directories > MAX_WATCHED_DIRECTORIES)) continue;
      try {
        const watcher = watch(path, { recursive: whole, persistent: false }, (event, name) => {
          if (whole && event === 'rename') outdated.add(path);
          if (names === undefined || name === null || names.has(name.split(sep)[0] ?? '')) schedule();
        });
        watcher.on('error', startPolling);
        watchers.set(path, watcher);
      } catch {
        // The system has no watches left, or the directory is already gone.
        startPolling();
      }
    }
  };
  observe();
  return {
    get catalog() {
      return catalog;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

interface WatchedPlace {
  readonly path: string;
  /** Whether entries below it count too. */
  readonly whole: boolean;
  /** The relevant entries; undefined for all. */
  readonly names?: Set<string>;
}

/** The roots, the skills that links lead to, the state files, and the nearest existing parents of missing roots. */
function listPlaces(catalog: SkillCatalog, { stores }: Workspace): WatchedPlace[] {
  const places = new Map<string, WatchedPlace>();
  const watchNames = (path: string, name: string): void => {
    const place = places.get(path);
    if (place === undefined) places.set(path, { path, whole: false, names: new Set([name]) });
    else place.names?.add(name);
  };
  for (const { path, real, status } of catalog.roots) {
    if (status === 'searched') places.set(real ?? path, { path: real ?? path, whole: true });
    if (status === 'duplicate' || status === 'untrusted') continue;
    // From the nearest existing directory: a missing root may appear, a root may be replaced.
    let above = dirname(path);
    while (!isDirectory(above) && dirname(above) !== above) above = dirname(above);
    watchNames(above, relative(above, path).split(sep)[0] ?? '');
  }
  for (const { dir, source } of catalog.skills)
    if (source.linked) places.set(dir, { path: dir, whole: true });
  for (const { root, base, runtime } of stores) {
    if (isDirectory(root))
      for (const name of ['state.json', 'config.toml', 'runtime']) watchNames(root, name);
    else if (isDirectory(base)) watchNames(base, OWN_DIRECTORY);
    if (isDirectory(runtime)) places.set(runtime, { path: runtime, whole: false });
  }
  return [...places.values()];
}
