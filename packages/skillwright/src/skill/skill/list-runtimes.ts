// The runtime directories of a store, and what each was compiled from.

import { join } from 'node:path';
import { namesIn } from '../../base/files/index.ts';
import type { Store } from '../workspace/index.ts';
import { type BuildManifest, readBuildManifest, readSourcePath, readSpelledPath } from './build-manifest.ts';

/** One runtime directory. */
export interface Runtime {
  readonly dir: string;
  /** The name of the directory. */
  readonly name: string;
  readonly manifest: BuildManifest;
  /** Where the source is, or was: absolute, links not resolved. */
  readonly source: string;
  /** Absolute paths that it was deployed to. */
  readonly deployed: readonly string[];
}

/** The runtime directories that skc made, in bytewise order. */
export function listRuntimes({ runtime }: Pick<Store, 'runtime'>, home: string): Runtime[] {
  return namesIn(runtime).flatMap((name) => {
    const dir = join(runtime, name);
    const manifest = readBuildManifest(dir);
    if (manifest === undefined) return [];
    const deployed = (manifest.deployed ?? []).map((spelled) => readSpelledPath(spelled, dir, home));
    return [{ dir, name, manifest, source: readSourcePath(manifest, dir, home), deployed }];
  });
}
