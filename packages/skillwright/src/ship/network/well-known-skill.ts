// Skills that a domain publishes.

import type { Diagnostic } from '../../base/diagnostics/index.ts';

/** One checked skill of a domain: its name is safe as a path, its address is absolute. */
export type WellKnownSkill = {
  readonly name: string;
  readonly description: string;
} & (
  | {
      /** One SKILL.md. No digest in conventions that lack one. */
      readonly type: 'skill-md';
      readonly url: string;
      readonly digest?: string | undefined;
    }
  | {
      /** A `.tar.gz` or `.zip` with SKILL.md at its root. */
      readonly type: 'archive';
      readonly url: string;
      /** `sha256:` and 64 hex digits. */
      readonly digest: string;
    }
  | {
      /** Single files below a directory. */
      readonly type: 'files';
      /** The directory, ending with `/`. */
      readonly url: string;
      /** Safe relative paths, including SKILL.md. */
      readonly files: readonly string[];
    }
);

/** Convention a domain follows; null when its index cannot be used. */
type WellKnownVersion = '0.2.0' | '0.1.0' | 'default' | null;

/** Skills found at a domain. */
export interface WellKnown {
  readonly version: WellKnownVersion;
  /** Final URL after redirects. */
  readonly url: string;
  readonly skills: readonly WellKnownSkill[];
  readonly diagnostics: readonly Diagnostic[];
}
