// What every kind of source gives: skills lying in a staging directory, and what is known of where they came from.

import type { Diagnostic } from '../../../base/diagnostics/index.ts';
import type { SourceSkill } from '../find/find-source-skills.ts';
import type { PluginReference } from '../find/plugin-manifests.ts';

/** Where skills come from, read from what a user typed. Everything in it has been checked. */
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
      readonly name: string;
      readonly range?: string | undefined;
      /** The registry's address; undefined when none is configured. */
      readonly url?: string | undefined;
    };

/** What a source stood for when it was fetched; with it the same can be fetched again. */
export interface Resolution {
  /** Commit of a git repository, 40 or 64 hex digits. */
  readonly commit?: string | undefined;
  /** Whether a tag led to the commit: tags stay where they are. */
  readonly tag?: true | undefined;
  /** Version of a package, or of a skill of a registry. */
  readonly version?: string | undefined;
  /** `sha256:<64 hex>` of what was downloaded. */
  readonly digest?: string | undefined;
}

/** One skill of a source, in the staging directory: its `dir` holds regular files and directories only. */
export interface FetchedSkill extends SourceSkill {
  /** Hidden entries and node_modules, which are no part of a skill and were left behind. */
  readonly omitted?: readonly string[] | undefined;
  /** How it is resolved where skills of one source differ in that. */
  readonly resolution?: Resolution | undefined;
  /** The source it really lies in, where that which was asked for only names it. */
  readonly from?: FetchedSource | undefined;
}

/** What a registry asserts of a skill. */
export interface RegistryFacts {
  readonly level: 'community' | 'verified' | 'official';
  readonly rating?: number | undefined;
  readonly downloads?: number | undefined;
  /** The repository it is made in. */
  readonly repository?: string | undefined;
}

/** Something said against what is installed: by the registry it is from. */
export interface SourceNotice {
  readonly kind: 'yanked' | 'quarantined' | 'deprecated' | 'advisory';
  /** In the words of whoever says it, which may hold anything. */
  readonly text: string;
}

/** A fetched source. Whoever gets one calls `release` when the skills have been copied, or not wanted. */
export interface FetchedSource {
  readonly source: SkillSource;
  readonly resolution: Resolution;
  readonly skills: readonly FetchedSkill[];
  /** Names of all skills of the source, where only those that were wanted have been fetched. */
  readonly offered?: readonly string[] | undefined;
  /** Plugins that it names and that lie elsewhere; not fetched yet. */
  readonly plugins?: readonly PluginReference[] | undefined;
  /** What was left out, and why. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a digest from the source itself was checked. */
  readonly verified: boolean;
  /** The public repository it was fetched from, for the trust score. Never what the skill or its package says. */
  readonly repository?: string | undefined;
  readonly registry?: RegistryFacts | undefined;
  /** What is said against the version that was fetched. */
  readonly notices?: readonly SourceNotice[] | undefined;
  /** What the server of an archive tells its state by. */
  readonly look?: string | undefined;
  /** Removes the staging directory. */
  release(): void;
}
