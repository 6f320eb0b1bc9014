// Lists the runtime directories of a store and their sources.

import { join } from 'node:path';
import { namesIn } from '../../base/files/index.ts';
import type { Store } from '../workspace/index.ts';
import { type BuildManifest, readBuildManifest, readSpelledPath } from './build-manifest.ts';
import { buildRecord } from './build-record.ts';

/** One runtime directory. */
export interface Runtime {
  readonly dir: string;
  /** The name of the directory. */
  readonly name: string;
  readonly manifest: BuildManifest;
  /** Recorded path of the source, which may be gone. */
  readonly source: string;
  /** Absolute paths it was deployed to. */
  readonly deployed: readonly string[];
}

/** The runtime directories skc recorded, in bytewise order. */
export function listRuntimes({ runtime }: Pick<Store, 'runtime'>, home: string): Runtime[] {
  const record = buildRecord(home);
  return namesIn(runtime).flatMap((name) => {
    const dir = join(runtime, name);
    const manifest = readBuildManifest(dir);
    const recorded = manifest === undefined ? undefined : record.runtime(dir);
    if (manifest === undefined || recorded === undefined) return [];
    const deployed = (manifest.deployed ?? []).map((spelled) => readSpelledPath(spelled, dir, home));
    return [{ dir, name, manifest, source: recorded.source, deployed }];
  });
}
