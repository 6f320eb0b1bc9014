// Paths as the studio shows them: short, and without the name of the user.

import type { Workspace } from '../../../skill/workspace/index.ts';
import { showPath } from '../../commands/index.ts';

/** A path as the user writes it; the home directory is `~`. */
export function showPlace(path: string, { cwd, home }: Pick<Workspace, 'cwd' | 'home'>): string {
  if (path === home) return '~';
  if (path === cwd) return showPath(path, { cwd: '/', home }).replace(/^(?![~/])/, '/');
  return showPath(path, { cwd, home });
}
