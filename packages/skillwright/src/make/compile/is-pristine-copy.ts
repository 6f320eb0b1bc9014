// Tells an unchanged deployed copy from one that the user has changed.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashTree, sha256, walkTree } from '../../base/files/index.ts';
import { readBuildManifest } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';

/** True if a directory holds the manifest and all files unchanged as skc wrote them, and nothing else. */
export function isPristineCopy(dir: string): boolean {
  const manifest = readBuildManifest(dir);
  if (manifest === undefined) return false;
  try {
    if (readdirSync(join(dir, OWN_DIRECTORY)).join('/') !== 'manifest.json') return false;
    if (sha256(readFileSync(join(dir, 'SKILL.md'))) !== manifest.stub_hash) return false;
    return hashCopy(dir) === (manifest.copy_hash ?? hashTree([]));
  } catch {
    // An unreadable copy is not known to be ours.
    return false;
  }
}

/** True if a copy has the form and content that the runtime directory of the skill has now. */
export function isCurrentCopy(copy: string, runtimeDir: string): boolean {
  const [there, here] = [readBuildManifest(copy), readBuildManifest(runtimeDir)];
  if (there === undefined || here === undefined) return false;
  const form = here.form ?? 'stub';
  if ((there.form ?? 'stub') !== form) return false;
  return form === 'stub' ? there.stub_hash === here.stub_hash : there.source_hash === here.source_hash;
}

/** Ignore files that Python creates when a script runs. */
const isPassedOver = (name: string) => name === '__pycache__';

/** SHA-256 over everything in a copy except the stub and the manifest, hidden files included. */
export function hashCopy(dir: string): string {
  const { entries, truncated } = walkTree(dir, { ignores: isPassedOver });
  if (truncated) throw new Error('too many files');
  const others = entries.filter(
    ({ path }) => path !== 'SKILL.md' && path !== OWN_DIRECTORY && path !== `${OWN_DIRECTORY}/manifest.json`,
  );
  return hashTree(
    others.map(({ path, kind }) => ({
      path,
      sha256: kind === 'file' ? sha256(readFileSync(join(dir, path))) : kind,
    })),
  );
}
