// A workspace for tests that need one and no command around it.

import { settleWorkspace, type Workspace, type WorkspaceOptions } from '../src/skill/workspace/workspace.ts';

/** The workspace of a directory. */
export function workspaceAt(
  place: { readonly cwd: string; readonly home: string },
  options: Partial<WorkspaceOptions> = {},
): Workspace {
  return settleWorkspace({ env: {}, ...place, ...options });
}
