// Where the user's machine keeps what it knows of a registry: the newest checkpoint of its log, and indexes.

import { join } from 'node:path';
import { sha256 } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/**
 * The directory for one log, or for one address while no key is pinned. It is in the user's home, where no project can
 * write, and with another key it is another: a project's key cannot touch what belongs to yours.
 */
export function registryMemory(
  { url, key }: { readonly url: string; readonly key?: string | undefined },
  { user }: Pick<Workspace, 'user'>,
): string {
  return join(user.root, 'registries', sha256(key ?? url).slice(0, 32));
}
