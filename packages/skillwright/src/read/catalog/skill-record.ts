// Catalog records: facts about a skill known without loading it.

import type { Diagnostic } from '../../base/diagnostics/index.ts';

/** Owner of a skill. `repo` is the wire name of `project` in the protocol. */
export type SkillScope = 'project' | 'user' | 'bundled';

/** One skill visible from a working directory. */
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
  /** The skill root that contains it, and the adapter that found it. */
  readonly source: {
    readonly root: string;
    readonly adapter: string;
    readonly linked: boolean;
  };
  readonly enabled: boolean;
  /** False when a requirement is missing; `reason` names it. */
  readonly available: boolean;
  readonly reason?: string;
  /** Paths of skills of the same name with lower precedence. */
  readonly shadows: readonly string[];
  /** True when compiled; where its stub is deployed. */
  readonly compiled: boolean;
  readonly deployed: readonly string[];
  readonly tags: readonly string[];
  /** Present when a quiz locks it. */
  readonly gated?: true;
  /** Frontmatter as written, without `quiz`, which holds answers. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/** The skills visible from one working directory, with their problems. */
export interface SkillCatalog {
  /** By scope, then by name, then by precedence. */
  readonly skills: readonly SkillRecord[];
  readonly errors: readonly CatalogError[];
  /** True when a limit cut discovery short. */
  readonly truncated: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly project: ProjectRoot;
  /** Every root that was considered, in discovery order. */
  readonly roots: readonly RootReport[];
  /** Directory of the search cache. */
  readonly cache: string | undefined;
}

/** Why a skill is not in the catalog. */
export interface CatalogError {
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

/** Root of the current project, and how it was recognised. */
export interface ProjectRoot {
  readonly path: string;
  readonly reason: 'environment' | 'marker' | 'cwd';
  /** The name that marked it. */
  readonly marker?: string;
}

/** A directory below a skill root that was skipped. */
export interface SkippedPlace {
  readonly path: string;
  readonly why: string;
}

/** Search result of one skill root. */
export interface RootReport {
  readonly path: string;
  readonly scope: SkillScope;
  readonly adapter: string;
  /** `duplicate`: the same directory as an earlier root. */
  readonly status: 'searched' | 'missing' | 'untrusted' | 'duplicate' | 'unreadable';
  /** Real path, when a link leads there. */
  readonly real?: string;
  /** Why it was not searched, or not fully. */
  readonly why?: string;
  readonly skills: number;
  readonly directories: number;
  readonly truncated: boolean;
  /** The first skipped places; `skippedCount` is their total number. */
  readonly skipped: readonly SkippedPlace[];
  readonly skippedCount: number;
}
