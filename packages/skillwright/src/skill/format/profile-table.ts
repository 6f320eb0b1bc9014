// The profiles a skill can be checked against, as data.

import * as z from 'zod';
import { CLAUDE_FIELDS, REGISTRY_FIELDS, STANDARD_FIELDS } from './layers.ts';

/** Rules of one profile. */
export interface Profile {
  /** Known fields. */
  fields: ReadonlySet<string>;
  /** Severity of an unknown field. */
  unknown: 'error' | 'warning';
  /** Severity of deviations from the standard that most agents tolerate, such as YAML that needs a repair. */
  deviation: 'error' | 'warning';
  /** Metadata may hold anything, not only text. */
  freeMetadata: boolean;
  /** `allowed-tools` may be a list. */
  toolLists: boolean;
  /** Whether the extra rules of upload interfaces apply. */
  forUpload: boolean;
  /** Whether every field a registry requires for publishing is required. */
  forPublishing: boolean;
}

/** Fields this toolkit reads beyond the layers of other tools. */
export const OWN_FIELDS: readonly string[] = ['quiz', 'triggers', 'toolsets'];

const base: Omit<Profile, 'unknown' | 'deviation'> = {
  fields: new Set(STANDARD_FIELDS),
  freeMetadata: false,
  toolLists: false,
  forUpload: false,
  forPublishing: false,
};

/** All profiles. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  spec: { ...base, unknown: 'warning', deviation: 'warning' },
  strict: { ...base, unknown: 'error', deviation: 'error' },
  'claude-code': {
    ...base,
    fields: new Set([...STANDARD_FIELDS, ...CLAUDE_FIELDS]),
    unknown: 'warning',
    deviation: 'warning',
    freeMetadata: true,
    toolLists: true,
  },
  registry: {
    ...base,
    fields: new Set([...STANDARD_FIELDS, ...CLAUDE_FIELDS, ...REGISTRY_FIELDS, ...OWN_FIELDS]),
    unknown: 'warning',
    deviation: 'warning',
    toolLists: true,
    forPublishing: true,
  },
  upload: { ...base, unknown: 'error', deviation: 'error', forUpload: true },
};

/** Profile to check against. */
export const ProfileName = z.enum(['spec', 'strict', 'claude-code', 'registry', 'upload']);
/** Profile to check against. */
export type ProfileName = z.infer<typeof ProfileName>;
