// Text files below a directory.

import { readInside } from './contained-path.ts';
import { decodeText, MAX_TEXT_BYTES } from './read-text.ts';

/** The text of a file inside `root`; undefined when it is missing or binary. E012 when links lead out, E015 when unreadable. */
export function readTextInside(root: string, path: string): string | undefined {
  const bytes = readInside(root, path, { maxBytes: MAX_TEXT_BYTES });
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded === undefined || decoded.binary ? undefined : decoded.text;
}
