// Words for versions.

import { parseAddress, Version } from 'skillwright/registry-protocol';
import type { WantedVersion } from './find-version.ts';

/** `@owner/name` or `@owner/name@version`; undefined for anything else. */
export function parseWanted(text: string): WantedVersion | undefined {
  const at = text.indexOf('@', 1);
  const address = parseAddress(at === -1 ? text : text.slice(0, at));
  if (address === undefined || text.length > 300) return undefined;
  if (at === -1) return address;
  const version = Version.safeParse(text.slice(at + 1));
  return version.success ? { ...address, version: version.data } : undefined;
}
