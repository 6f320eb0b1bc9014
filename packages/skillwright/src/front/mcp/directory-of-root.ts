// The working directory that a client names as a root.

import { fileURLToPath } from 'node:url';
import { isDirectory } from '../../base/files/index.ts';

/** The directory a client's first root stands for; undefined when it is none on this machine. */
export function directoryOfRoot(uri: string | undefined): string | undefined {
  if (uri === undefined) return undefined;
  try {
    const path = fileURLToPath(uri);
    return isDirectory(path) ? path : undefined;
  } catch {
    // Another scheme, or a path of another system.
    return undefined;
  }
}
