// Notifies a client when the skills of its folder change.

import { watchCatalog } from '../../read/catalog/index.ts';
import { openWorkspace } from '../../skill/workspace/index.ts';
import type { Connection, OpenedFolder } from '../commands/index.ts';

/** Notification for clients that asked for changes. */
const CHANGED = 'skills.changed';

/** The line to send. */
export function changedLine({ cwd }: Pick<OpenedFolder, 'cwd'>): string {
  return JSON.stringify({ jsonrpc: '2.0', method: CHANGED, params: { cwd } });
}

/**
 * Calls `changed` when a skill, a rule or an on/off switch changes, until the process ends. Resolves once the watch has
 * started. If the folder cannot be watched, it is still served.
 */
export async function watchFolder(
  { cwd, trust }: OpenedFolder,
  { surroundings: { home, env }, changed }: Pick<Connection, 'surroundings'> & { changed: () => void },
): Promise<void> {
  const open = () => openWorkspace({ cwd, home, env, trust });
  const law = async () => JSON.stringify(await (await open()).config());
  let known = await law().catch(() => '');
  let isTold = false;
  const onReload = async () => {
    const now = await law().catch(() => '');
    if (now !== known && !isTold) changed();
    isTold = false;
    known = now;
  };
  const tell = () => {
    isTold = true;
    changed();
  };
  await watchCatalog({ open, onReload: () => void onReload() }, tell).catch(() => {});
}
