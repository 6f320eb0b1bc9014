// Removes indexes of skills that were read where they lie, but not for a long time. Their logs stay.

import { join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { namesIn, removePath, targetAt } from '../../base/files/index.ts';
import { listReadingPlaces } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';

const UNREAD_MS = 60 * 24 * 60 * 60_000;

/** Removes the indexes in the cache whose directory did not change for 60 days: every read opens the log beside them. */
export function forgetUnread(workspace: Workspace, now: Date): void {
  for (const place of listReadingPlaces(workspace)) {
    const own = join(place, OWN_DIRECTORY);
    const files = namesIn(own).map((name) => join(own, name));
    const used = Math.max(...files.map((path) => targetAt(path)?.mtimeMs ?? 0));
    if (now.getTime() - used < UNREAD_MS) continue;
    for (const path of files)
      if (/[\\/]search-[^\\/]+\.db$/.test(path)) orUndefined(() => removePath(path, { force: true }));
  }
}
