// What fetching may know of the world.

import type { Config } from '../../../skill/config/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { DeclaredPlugin } from '../find/find-source-skills.ts';

/** The surroundings of a source: how it is read, and how it is fetched. */
export interface FetchContext {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The configuration in force. */
  readonly config: Pick<Config, 'network' | 'registry'>;
  readonly signal: AbortSignal;
  /** Says how far a long download is. */
  progress(text: string): void;
  /** Where staging directories are made: on the disk of the store, a skill is then moved into it by renaming. */
  readonly stagingDir?: string | undefined;
  /** Names of the skills that are wanted, where others need not be fetched to find them. */
  readonly only?: readonly string[] | undefined;
  /** What a marketplace says of the source. It is a stranger's word: no closed address is asked for it. */
  readonly plugin?: DeclaredPlugin | undefined;
  /** Offers skills that are marked `metadata.internal` too. */
  readonly internal?: boolean | undefined;
}
