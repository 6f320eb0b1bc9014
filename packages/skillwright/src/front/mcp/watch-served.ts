// Watches the skills a server lists.

import { type CatalogWatch, watchCatalog } from '../../read/catalog/index.ts';
import type { WatchEvent } from './backend.ts';
import type { ServerState } from './server-state.ts';

/** A watch until it is closed. */
export interface ServedWatch {
  /** Resolves when the initial state is known: later changes are reported. */
  readonly ready: Promise<void>;
  /** Switches to another working directory. */
  follow(cwd: string): void;
  close(): void;
}

/** Reports when a skill is added, removed or described differently, and whenever files change on disk. */
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
      const now = await describeServed(state, place);
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
    // Files may have changed between the first scan and the start of the watch.
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

/** Everything that lists and prompts say about the skills. */
async function describeServed(state: ServerState, cwd: string): Promise<string> {
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
