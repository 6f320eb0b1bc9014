// What a domain says it publishes.

import type { Diagnostic } from '../../base/diagnostics/index.ts';

/** One skill of a domain, checked: its name may become a path, its address is absolute. */
export type WellKnownSkill = {
  readonly name: string;
  readonly description: string;
} & (
  | {
      /** One SKILL.md. Without a digest where the convention has none. */
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
      /** Safe relative paths, SKILL.md among them. */
      readonly files: readonly string[];
    }
);

/** Which convention a domain follows; null when it has an index that cannot be used. */
export type WellKnownVersion = '0.2.0' | '0.1.0' | 'default' | null;

/** What was found at a domain. */
export interface WellKnown {
  readonly version: WellKnownVersion;
  /** Where it was found, redirects followed. */
  readonly url: string;
  readonly skills: readonly WellKnownSkill[];
  readonly diagnostics: readonly Diagnostic[];
}
