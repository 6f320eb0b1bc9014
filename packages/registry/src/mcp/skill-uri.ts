// Addresses of skills and their files as resources: `skill://owner/name/SKILL.md`, `skill://owner/@1.2.0/name/SKILL.md`.

import { parseWanted, type WantedVersion } from '../reading/index.ts';

const PATTERN = /^skill:\/\/([a-z0-9-]+)\/(?:@([^/#]+)\/)?([a-z0-9-]+)(?:\/|$)/;

/** The version a URI leads into; undefined when it leads nowhere. */
export function versionIn(uri: string): WantedVersion | undefined {
  const [, owner, version, name] = PATTERN.exec(uri) ?? [];
  if (owner === undefined || name === undefined) return undefined;
  return parseWanted(`@${owner}/${name}${version === undefined ? '' : `@${version}`}`);
}
