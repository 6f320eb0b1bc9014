// A compiled stub and its source are one skill: from the one to the other.

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  hasSkillFile,
  readBuildManifest,
  readSourcePath,
  readSpelledPath,
  storePaths,
} from '../../skill/places/index.ts';

/** A directory that a compiler made. `source` is canonical; undefined when it is gone or not known. */
export interface Stub {
  readonly source: string | undefined;
}

/** Where runtime directories of another tool keep what ours keep in `.skillc`. */
const FOREIGN_MARK = '.skillc-meta';

/** The stub that a canonical directory is; undefined when nobody compiled it. */
export function readStub(dir: string, home: string): Stub | undefined {
  const manifest = readBuildManifest(dir);
  if (manifest !== undefined) return { source: realSkill(readSourcePath(manifest, dir, home)) };
  return existsSync(join(dir, FOREIGN_MARK)) ? { source: undefined } : undefined;
}

/** Where the skills were deployed that the runtime directories below `bases` were made from, by canonical source. */
export function readDeployments(bases: readonly string[], home: string): Map<string, string[]> {
  const deployments = new Map<string, string[]>();
  for (const base of bases) {
    const { runtime } = storePaths(base);
    for (const name of namesIn(runtime)) {
      const dir = join(runtime, name);
      const manifest = readBuildManifest(dir);
      const source = manifest && realSkill(readSourcePath(manifest, dir, home));
      if (source === undefined) continue;
      const places = (manifest?.deployed ?? []).map((spelled) => readSpelledPath(spelled, dir, home));
      deployments.set(source, [...(deployments.get(source) ?? []), ...places.filter(isSkill)]);
    }
  }
  return deployments;
}

function realSkill(dir: string): string | undefined {
  return isSkill(dir) ? realpathSync.native(dir) : undefined;
}

function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    return false;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.startsWith('.'));
  } catch {
    // Nothing has been compiled here.
    return [];
  }
}
