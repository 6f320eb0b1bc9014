// The common result of fetching a source: skills in a staging directory, and their origin.

import type { Diagnostic } from '../../../base/diagnostics/index.ts';
import type { Config } from '../../../skill/config/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { Notice, Resolved } from '../../results/index.ts';
import type { DeclaredPlugin, FoundSkills } from '../find/find-source-skills.ts';
import type { PluginReference } from '../find/plugin-manifests.ts';
import type { DescribedFiles } from '../place/stored-files.ts';

/** A source, parsed from the user's input and checked. */
export type SkillSource =
  | { readonly kind: 'path' /** Absolute. */; readonly path: string }
  | {
      readonly kind: 'git';
      readonly url: string;
      readonly ref?: string | undefined;
      readonly subpath?: string | undefined;
    }
  | { readonly kind: 'npm'; readonly name: string; readonly range?: string | undefined }
  | { readonly kind: 'archive' /** A URL, or an absolute path. */; readonly location: string }
  | {
      readonly kind: 'well-known' /** Where the index is looked for: a domain or a URL. */;
      readonly url: string;
    }
  | {
      readonly kind: 'registry';
      /** Without `@`. */
      readonly owner: string;
      readonly name: string;
      readonly range?: string | undefined;
      /** The registry's address; undefined until the owner's registry is looked up. */
      readonly url?: string | undefined;
    };

/** The exact state of a source when it was fetched, to fetch the same again. */
export interface Resolution {
  /** Commit of a git repository, 40 or 64 hex digits. */
  readonly commit?: string | undefined;
  /** Whether the commit comes from a tag: tags must not move. */
  readonly tag?: true | undefined;
  /** Version of a package, or of a skill in a registry. */
  readonly version?: string | undefined;
  /** `sha256:<64 hex>` of the download. */
  readonly digest?: string | undefined;
  /** `sha256:<64 hex>` of a registry's document about the version. */
  readonly document?: string | undefined;
}

/** A resolution as it is printed. */
export function resolvedOf(resolution: Resolution): Resolved {
  const { commit = null, version = null, digest = null } = resolution;
  return { commit, version, digest };
}

/** One skill of a source, in the staging directory: its `dir` holds regular files and directories only. */
export type FetchedSkill = FoundSkills['skills'][number] & {
  /** Its files as the lock describes them. */
  readonly content: DescribedFiles;
  /** Size of all its files. */
  readonly bytes: number;
  /** Its own resolution, when the skills of one source differ in it. */
  readonly resolution?: Resolution | undefined;
  /** Its real source, when the requested one only names it. */
  readonly from?: FetchedSource | undefined;
};

/** A registry's statements about a skill. */
export interface RegistryFacts {
  readonly level: 'community' | 'verified' | 'official';
  readonly rating?: number | undefined;
  readonly downloads?: number | undefined;
  /** The repository it is developed in. */
  readonly repository?: string | undefined;
}

/** A fetched source. The caller must call `release` once the skills are copied or not wanted. */
export interface FetchedSource {
  readonly source: SkillSource;
  readonly resolution: Resolution;
  readonly skills: readonly FetchedSkill[];
  /** Names of all skills of the source, when only the wanted ones were fetched. */
  readonly offered?: readonly string[] | undefined;
  /** Plugins that it names but that are hosted elsewhere; not fetched yet. */
  readonly plugins?: readonly PluginReference[] | undefined;
  /** Everything left out, and why. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a digest from the source itself was checked. */
  readonly verified: boolean;
  /** The public repository it was fetched from, for the trust score. Never a claim of the skill or its package. */
  readonly repository?: string | undefined;
  readonly registry?: RegistryFacts | undefined;
  /** Warnings about the fetched version. */
  readonly notices?: readonly Notice[] | undefined;
  /** Remarks about the source itself, such as a log that was not checked. */
  readonly remarks?: readonly Diagnostic[] | undefined;
  /** Proof that the registry's log contains the version, as text. */
  readonly proof?: string | undefined;
  /** Removes the staging directory. */
  release(): void;
}

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
}
