// A catalog that is kept up to date.

import { type FSWatcher, watch } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { isDirectory } from '../../base/files/index.ts';
import { OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';
import type { Discovery } from './catalog-options.ts';
import { type CatalogChanges, compareCatalogs, hasSameErrors } from './compare-catalogs.ts';
import { loadCatalog } from './load-catalog.ts';
import type { SkillCatalog } from './skill-record.ts';

/** A catalog under watch. */
export interface CatalogWatch {
  /** The catalog as it is known now. */
  readonly catalog: SkillCatalog;
  close(): void;
}

/** What to watch, and how. */
export interface WatchOptions {
  /** Opens the workspace as it is now; asked again with every change. */
  readonly open: () => Promise<Workspace>;
  readonly discovery?: Discovery | undefined;
  /** How long to wait for more events before the catalog is read again. */
  readonly settleMs?: number;
  /** How often to look where the system does not tell of changes. */
  readonly pollMs?: number;
  readonly onError?: (error: unknown) => void;
  /** Hears that the catalog was read again, also when it is the same: rules that hide skills may be others now. */
  readonly onReload?: () => void;
}

const SETTLE_MS = 100;
const POLL_MS = 2000;

/** Trees with more directories are looked at from time to time: a watch of its own for each costs the system too much. */
const MAX_WATCHED_DIRECTORIES = 4000;

/**
 * Calls `onChange` with the new catalog whenever skills, their state or their roots have changed, until it is closed.
 * The first catalog is in the result.
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
  /** Trees in which something came or went. A directory that was put back at once is seen by a new watch alone. */
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

  /** Watches what matters now, and nothing else. */
  const observe = (): void => {
    const places = listPlaces(catalog, workspace);
    const wanted = new Map(places.map((place) => [place.path, place]));
    for (const [path, watcher] of watchers) {
      if (wanted.has(path) && !outdated.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    // What changed before the new watch is found by looking once more.
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
        // The system has no watches left, or the directory is gone already.
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
  /** Whether what lies below counts too. */
  readonly whole: boolean;
  /** The entries that count; undefined for all. */
  readonly names?: Set<string>;
}

/** The roots, the skills that links lead to, the state files, and for roots that are missing what is there above them. */
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
    // From the nearest directory that is there: a missing root may appear, a root may be replaced.
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
