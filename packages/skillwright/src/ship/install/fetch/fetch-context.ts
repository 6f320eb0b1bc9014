// The environment a fetch depends on.

import type { Config } from '../../../skill/config/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { DeclaredPlugin } from '../find/find-source-skills.ts';

/** Environment for reading and fetching a source. */
export interface FetchContext {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The effective configuration. */
  readonly config: Pick<Config, 'network' | 'registry'>;
  readonly signal: AbortSignal;
  /** Reports the progress of a long download. */
  progress(text: string): void;
  /** Directory for staging: on the store's disk, so that a skill is moved into the store by a rename. */
  readonly stagingDir?: string | undefined;
  /** Names of the wanted skills, for sources that can fetch them alone. */
  readonly only?: readonly string[] | undefined;
  /** A marketplace's statement about the source. It is untrusted: it never makes skc contact a private address. */
  readonly plugin?: DeclaredPlugin | undefined;
  /** Whether somebody else than the user of this machine named the source: private addresses are then refused for git too. */
  readonly isForeign?: boolean | undefined;
  /** Also offers skills marked `metadata.internal`. */
  readonly internal?: boolean | undefined;
}
