// The small document about one skill that changes: versions and their states, latest, advisories.

import * as z from 'zod';
import { Address, Count, Digest, RegistryLevel, Time, Version, WebAddress } from './values.ts';

/** One reason why a version cannot be installed, or only when named exactly. */
export const InstallReason = z.object({
  code: z.enum(['yanked', 'quarantined', 'purged', 'pending', 'rejected', 'scan', 'too-young']),
  message: z.string(),
});
export type InstallReason = z.output<typeof InstallReason>;

/**
 * Whether a version can be installed, derived by the registry from all its states: `yes`; `exact` only when named exactly
 * (yanked, too young); `no` (quarantined, purged, pending, rejected, refused by the scan).
 */
export const Installable = z.object({
  answer: z.enum(['yes', 'exact', 'no']),
  reasons: z.array(InstallReason),
});
export type Installable = z.output<typeof Installable>;

/** One version in the index of its skill. */
export const IndexVersion = z.object({
  version: Version,
  archive: Digest,
  document: Digest.describe('Of the bytes of the version document'),
  published: Time,
  yanked: z.string().nullable().describe('Reason, or null'),
  quarantined: z.string().nullable().describe('Reason, or null'),
  purged: z.string().nullable().describe('Reason, or null'),
  installable: Installable,
});
export type IndexVersion = z.output<typeof IndexVersion>;

/** A known problem of some versions. */
export const RegistryAdvisory = z.object({
  id: z.string().min(1).max(100),
  severity: z.enum(['low', 'moderate', 'high', 'critical']),
  summary: z.string(),
  affected: z.string().describe('A range of versions'),
  url: WebAddress.nullable().default(null),
});
export type RegistryAdvisory = z.output<typeof RegistryAdvisory>;

/** A skill without its versions, as in search results. */
export const SkillSummary = z.object({
  name: Address,
  description: z.string(),
  visibility: z.enum(['private', 'public']),
  level: RegistryLevel,
  rating: z
    .object({ mean: z.number().min(1).max(5), count: Count })
    .nullable()
    .describe('Null while there are none'),
  downloads: Count,
  latest: Version.nullable().describe('Highest installable version that is not a prerelease; else null'),
  license: z.string().nullable(),
  repository: WebAddress.nullable(),
  homepage: WebAddress.nullable(),
  tags: z.array(z.string()),
  category: z.string().nullable(),
  deprecated: z.string().nullable().describe('Reason, or null'),
  created: Time,
  updated: Time,
});
export type SkillSummary = z.output<typeof SkillSummary>;

/** Everything that changes about one skill; newest version first. */
export const SkillIndex = SkillSummary.extend({
  schema: z.literal(1),
  versions: z.array(IndexVersion),
  advisories: z.array(RegistryAdvisory),
});
export type SkillIndex = z.output<typeof SkillIndex>;

/** Most versions in one request about their states. */
export const MAX_STATES = 100;

/** Request for the states of installed versions. */
export const StatesRequest = z.strictObject({
  installed: z.array(z.strictObject({ name: Address, version: Version })).max(MAX_STATES),
});
export type StatesRequest = z.output<typeof StatesRequest>;

/** State of one installed version. `known: false` also when the caller may not see it. */
export const VersionState = z.object({
  name: Address,
  version: Version,
  known: z.boolean(),
  latest: Version.nullable(),
  deprecated: z.string().nullable(),
  installable: Installable.nullable(),
  level: RegistryLevel.nullable(),
  rating: z.object({ mean: z.number().min(1).max(5), count: Count }).nullable(),
  downloads: Count.nullable(),
  versions: z
    .array(Version)
    .describe('Versions that satisfy a range: installable and not yanked, newest first'),
  advisories: z.array(RegistryAdvisory).describe('Those that affect this version'),
});
export type VersionState = z.output<typeof VersionState>;

/** Response, in the order of the request. */
export const StatesResponse = z.object({ states: z.array(VersionState) });
export type StatesResponse = z.output<typeof StatesResponse>;
