// Messages between a registry of skills and its clients, explained in docs/registry-protocol.md.

import * as z from 'zod';
import { isSemver, isSkillName } from '../../skill/format/index.ts';

/** Path of the protocol below the base URL of a registry. */
export const REGISTRY_API = 'api/v1';

/** Results on one page of a search. */
export const MAX_PAGE_SIZE = 100;

/** Request header with the digest of a published archive. */
export const DIGEST_HEADER = 'skill-digest';

const Name = z.string().refine(isSkillName, 'must be a skill name');
const Version = z.string().refine(isSemver, 'must be a semantic version');
const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
const Time = z.iso.datetime();
const Count = z.number().int().nonnegative();
const WebAddress = z.url({ protocol: /^https?$/ });

/** How far the registry vouches for a skill. Only a registry sets it, never the skill itself. */
export const RegistryLevel = z.enum(['community', 'verified', 'official']);
export type RegistryLevel = z.output<typeof RegistryLevel>;

/** A skill in the registry, without its versions. */
export const RegistrySummary = z.object({
  name: Name,
  description: z.string(),
  owner: z.string().describe('Account that publishes it'),
  level: RegistryLevel,
  rating: z.number().min(0).max(5).nullable().describe('Mean of all ratings, null while there are none'),
  downloads: Count,
  latest: Version.nullable().describe('The newest version that is neither yanked nor a prerelease'),
  license: z.string().nullable(),
  repository: WebAddress.nullable(),
  homepage: WebAddress.nullable(),
  tags: z.array(z.string()),
  category: z.string(),
  deprecated: z.string().nullable().describe('Why it should not be used any more, null while it should'),
  updated: Time,
});
export type RegistrySummary = z.output<typeof RegistrySummary>;

/** Where the archive of a version is. */
export const RegistryDist = z.object({
  url: z.string().min(1).describe('Absolute, or relative to the address of the version'),
  digest: Digest.describe('Of the bytes of the archive'),
  size: Count.describe('Bytes of the archive'),
});
export type RegistryDist = z.output<typeof RegistryDist>;

/** One version. A yanked one is used only when named exactly. */
export const RegistryVersion = z.object({
  name: Name,
  version: Version,
  dist: RegistryDist,
  yanked: z.string().nullable().describe('Why it was withdrawn, null while it was not'),
  quarantined: z
    .string()
    .nullable()
    .default(null)
    .describe('Why the registry holds it back, null while it does not'),
  published: Time,
});
export type RegistryVersion = z.output<typeof RegistryVersion>;

/** A known problem of some versions. */
export const RegistryAdvisory = z.object({
  id: z.string().min(1).max(100),
  severity: z.enum(['low', 'moderate', 'high', 'critical']),
  summary: z.string(),
  affected: z.string().describe('A range of versions'),
  url: WebAddress.nullable().default(null),
});
export type RegistryAdvisory = z.output<typeof RegistryAdvisory>;

/** Everything about one skill, newest version first. */
export const RegistrySkill = RegistrySummary.extend({
  versions: z.array(RegistryVersion),
  advisories: z.array(RegistryAdvisory).default([]),
  created: Time,
});
export type RegistrySkill = z.output<typeof RegistrySkill>;

/** One page of results, best first. */
export const RegistrySearch = z.object({
  total: Count,
  page: z.number().int().positive(),
  limit: z.number().int().positive().max(MAX_PAGE_SIZE),
  skills: z.array(RegistrySummary),
});
export type RegistrySearch = z.output<typeof RegistrySearch>;

/** Request to withdraw a version, or to undo that. */
export const YankRequest = z.strictObject({ yanked: z.string().min(1).max(500).nullable() });
export type YankRequest = z.output<typeof YankRequest>;

/** Request to deprecate a skill, or to undo that. */
export const DeprecateRequest = z.strictObject({ deprecated: z.string().min(1).max(500).nullable() });
export type DeprecateRequest = z.output<typeof DeprecateRequest>;

/** Error codes of a registry, and their statuses. */
export const registryErrors = {
  bad_request: 400,
  unauthorised: 401,
  forbidden: 403,
  not_found: 404,
  version_exists: 409,
  too_large: 413,
  digest_mismatch: 422,
  invalid_skill: 422,
  rate_limited: 429,
  internal: 500,
} as const;

/** One of the error codes. */
export type RegistryErrorCode = keyof typeof registryErrors;

/** Body of every response with a status of 400 or above. More codes may be added later. */
export const RegistryFailure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(z.string()).optional().describe('One line per fault of a refused skill'),
  }),
});
export type RegistryFailure = z.output<typeof RegistryFailure>;
