// What a catalog knows of a skill without having loaded it.

import type { Diagnostic } from '../../base/diagnostics/index.ts';

/** Whose skill it is. `repo` is the wire name of `project` in the protocol. */
export type SkillScope = 'project' | 'user' | 'bundled';

/** One skill that is visible from a working directory. */
export interface SkillRecord {
  /** 24 hex digits of the SHA-256 of the canonical path of its SKILL.md. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Canonical absolute path of its SKILL.md. */
  readonly path: string;
  /** Canonical absolute directory. */
  readonly dir: string;
  readonly scope: SkillScope;
  readonly mtimeMs: number;
  /** SHA-256 of the bytes of SKILL.md. */
  readonly digest: string;
  /** The skill root it was found in, and how: the adapter's name. */
  readonly source: {
    readonly root: string;
    readonly adapter: string;
    readonly linked: boolean;
  };
  readonly enabled: boolean;
  /** False when something it requires is missing; `reason` says what. */
  readonly available: boolean;
  readonly reason?: string;
  /** Paths of skills of the same name that come after it by precedence. */
  readonly shadows: readonly string[];
  /** True when it has been compiled; where its stub is deployed. */
  readonly compiled: boolean;
  readonly deployed: readonly string[];
  readonly tags: readonly string[];
  /** Present when a quiz keeps its content closed until it is passed. */
  readonly gated?: true;
  /** Frontmatter as written but for `quiz`, which holds answers, for whoever needs a field. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/** The skills visible from one working directory, with their problems. */
export interface SkillCatalog {
  /** By scope, then by name, then by precedence. */
  readonly skills: readonly SkillRecord[];
  readonly errors: readonly CatalogError[];
  /** True when a bound cut discovery short. */
  readonly truncated: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly project: ProjectRoot;
  /** Every place that was looked at, in the order of discovery. */
  readonly roots: readonly RootReport[];
  /** Directory for what searching remembers between starts. */
  readonly cache: string | undefined;
}

/** Why a skill is not in the catalog. */
export interface CatalogError {
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

/** Where the project begins that the working directory is in, and how that is known. */
export interface ProjectRoot {
  readonly path: string;
  readonly reason: 'environment' | 'marker' | 'cwd';
  /** The name that marked it. */
  readonly marker?: string;
}

/** A place below a skill root that was not looked into. */
export interface SkippedPlace {
  readonly path: string;
  readonly why: string;
}

/** What came of one skill root. */
export interface RootReport {
  readonly path: string;
  readonly scope: SkillScope;
  readonly adapter: string;
  /** `duplicate`: the same directory as one that comes before it. */
  readonly status: 'searched' | 'missing' | 'untrusted' | 'duplicate' | 'unreadable';
  /** Where it really is, when a link leads there. */
  readonly real?: string;
  /** Why it was not searched, or not to its end. */
  readonly why?: string;
  readonly skills: number;
  readonly directories: number;
  readonly truncated: boolean;
  /** The first places that were left out; `skippedCount` says how many there are. */
  readonly skipped: readonly SkippedPlace[];
  readonly skippedCount: number;
}
