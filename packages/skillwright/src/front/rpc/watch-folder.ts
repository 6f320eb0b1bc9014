// Telling a client that the skills of its folder are different.

import { watchCatalog } from '../../read/catalog/index.ts';
import { openWorkspace } from '../../skill/workspace/index.ts';
import type { Connection, OpenedFolder } from '../commands/index.ts';

/** The notification that a client gets which has asked to hear of changes. */
export const CHANGED = 'skills.changed';

/** The line that is sent. */
export function changedLine({ cwd }: Pick<OpenedFolder, 'cwd'>): string {
  return JSON.stringify({ jsonrpc: '2.0', method: CHANGED, params: { cwd } });
}

/**
 * Calls `changed` when a skill comes, goes or is different, and when a rule or a switch is. Settled when the watch has
 * begun; gives what ends it. What cannot be watched is served all the same.
 */
export async function watchFolder(
  { cwd, trust }: OpenedFolder,
  {
    surroundings: { home, env },
    changed,
  }: Pick<Connection, 'surroundings'> & { readonly changed: () => void },
): Promise<() => void> {
  const law = async () => {
    const workspace = await openWorkspace({ cwd, home, env, trust });
    return JSON.stringify([await workspace.config().catch(() => null)]);
  };
  let known = await law().catch(() => '');
  let isTold = false;
  const open = () => openWorkspace({ cwd, home, env, trust });
  const onReload = async () => {
    const now = await law().catch(() => '');
    if (now !== known && !isTold) changed();
    isTold = false;
    known = now;
  };
  const watch = await watchCatalog({ open, onReload: () => void onReload() }, () => {
    isTold = true;
    changed();
  }).catch(() => undefined);
  return () => watch?.close();
}
