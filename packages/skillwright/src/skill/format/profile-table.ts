// The profiles a skill can be judged by, as data.

import { CLAUDE_FIELDS } from './claude-layer.ts';
import type { ProfileName } from './profile-name.ts';
import { REGISTRY_FIELDS } from './registry-layer.ts';
import { STANDARD_FIELDS } from './standard-layer.ts';

/** What one profile asks for. */
export interface Profile {
  /** Fields it knows. */
  fields: ReadonlySet<string>;
  /** How bad an unknown field is. */
  unknown: 'error' | 'warning';
  /** How bad it is to leave the letter of the standard in ways most agents cope with, such as YAML that needs a repair. */
  deviation: 'error' | 'warning';
  /** Metadata may hold anything, not only texts. */
  freeMetadata: boolean;
  /** `allowed-tools` may be a list. */
  toolLists: boolean;
  /** The extra rules of upload interfaces apply. */
  forUpload: boolean;
  /** Everything a registry wants to publish a skill is required. */
  forPublishing: boolean;
}

/** Fields this toolkit reads beyond the layers of other tools. */
export const OWN_FIELDS = ['quiz', 'triggers', 'toolsets'] as const;

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
