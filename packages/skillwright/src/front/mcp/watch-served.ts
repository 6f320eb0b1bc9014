// Noticing that what a server lists has changed.

import { type CatalogWatch, watchCatalog } from '../../read/catalog/index.ts';
import type { WatchEvent } from './backend.ts';
import type { ServerState } from './server-state.ts';

/** A watch that goes on until it is closed. */
export interface ServedWatch {
  /** Settled when it is known what there was at first: what changes afterwards is told. */
  readonly ready: Promise<void>;
  /** Watches another working directory from now on. */
  follow(cwd: string): void;
  close(): void;
}

/** Tells when a skill comes, goes, or is described otherwise, and whenever something has changed on the disk. */
export function watchServed(
  state: ServerState,
  cwd: string,
  changed: (event: WatchEvent) => void,
): ServedWatch {
  let current: { cwd: string; watch: Promise<CatalogWatch | undefined> } | undefined;
  let isClosed = false;
  const start = (place: string): Promise<void> => {
    let before: string | undefined;
    const look = async (): Promise<void> => {
      const now = await describe(state, place);
      const isNew = before !== undefined && before !== now;
      before = now;
      if (isNew && !isClosed && current?.cwd === place) changed('changed');
    };
    const tell = (error: unknown): undefined => {
      state.context.note(`mcp: ${error instanceof Error ? error.message : String(error)}`);
    };
    const first = look().catch(tell);
    const onReload = () => {
      if (!isClosed && current?.cwd === place) changed('touched');
      void first.then(look).catch(tell);
    };
    const watching = watchCatalog({ open: () => state.workspace(place), onError: tell, onReload }, () => {});
    const watch = watching.catch(tell);
    current = { cwd: place, watch };
    // Something may have changed between the first look and the start of the watch.
    void Promise.all([first, watch]).then(look).catch(tell);
    return first;
  };
  const stop = (): void => void current?.watch.then((watch) => watch?.close());
  return {
    ready: start(cwd),
    follow(place) {
      if (place === current?.cwd) return;
      stop();
      void start(place);
    },
    close() {
      isClosed = true;
      stop();
    },
  };
}

/** Everything lists and prompts say of the skills. */
async function describe(state: ServerState, cwd: string): Promise<string> {
  const skills = await state.listSkills({ ...state.context, cwd });
  return JSON.stringify(
    skills.map(({ root, label, frontmatter }) => [
      root,
      label,
      frontmatter.description,
      frontmatter['argument-hint'],
      frontmatter['user-invocable'],
    ]),
  );
}
