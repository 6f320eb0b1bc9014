// Telling a deployed copy from one that somebody has since made their own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/files/index.ts';
import { readBuildManifest } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';

/** True when a directory holds the stub and the manifest as skc wrote them, and nothing else. */
export function isPristineCopy(dir: string): boolean {
  const manifest = readBuildManifest(dir);
  if (manifest === undefined) return false;
  try {
    const names = [...readdirSync(dir), ...readdirSync(join(dir, OWN_DIRECTORY))].sort();
    if (names.join('/') !== [OWN_DIRECTORY, 'SKILL.md', 'manifest.json'].sort().join('/')) return false;
    return sha256(readFileSync(join(dir, 'SKILL.md'))) === manifest.stub_hash;
  } catch {
    // What cannot be looked at is not known to be ours.
    return false;
  }
}
