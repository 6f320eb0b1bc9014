// Converts a client's root into a working directory.

import { fileURLToPath } from 'node:url';
import { isDirectory } from '../../base/files/index.ts';

/** The directory of a client's first root; undefined when it is not on this machine. */
export function directoryOfRoot(uri: string | undefined): string | undefined {
  if (uri === undefined) return undefined;
  try {
    const path = fileURLToPath(uri);
    return isDirectory(path) ? path : undefined;
  } catch {
    // A different scheme, or a path of another system.
    return undefined;
  }
}
