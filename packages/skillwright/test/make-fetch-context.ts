// The surroundings of a fetch, for tests: an empty home, a staging directory that can be looked into, no outside.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchContext } from '../src/ship/install/source/fetched-source.ts';
import type { Config } from '../src/skill/config/config-schema.ts';
import { defaultConfig } from '../src/skill/config/default-config.ts';
import { makeDirectory } from './make-directory.ts';
import { workspaceAt } from './open-workspace.ts';

/** A context whose staging directory is known. */
export interface TestFetchContext extends FetchContext {
  readonly stagingDir: string;
  /** Progress messages. */
  readonly told: readonly string[];
  /** Content of the staging directory. */
  staged(): string[];
}

/** A context that may reach servers of this machine and repositories on its disk. */
export function makeFetchContext(
  own: Partial<FetchContext> & { network?: Partial<Config['network']> } = {},
): TestFetchContext {
  const root = makeDirectory({
    home: { directory: true },
    work: { directory: true },
    staging: { directory: true },
  });
  const { network, ...rest } = own;
  const stagingDir = join(root, 'staging');
  const told: string[] = [];
  const place = { cwd: own.cwd ?? join(root, 'work'), home: own.home ?? join(root, 'home') };
  const env = own.env ?? { PATH: process.env.PATH, HOME: place.home };
  return {
    workspace: workspaceAt(place, { env }),
    ...place,
    env,
    config: {
      network: { ...defaultConfig.network, allow_private: ['127.0.0.1', 'localhost'], ...network },
      registry: defaultConfig.registry,
    },
    signal: new AbortController().signal,
    progress: (text) => void told.push(text),
    ...rest,
    stagingDir,
    told,
    staged: () => readdirSync(stagingDir),
  };
}
