// The immutable document of one version. The log records the SHA-256 of its bytes.

import * as z from 'zod';
import { Address, Count, Digest, Time, Version, WebAddress } from './values.ts';

/** One file of a version. */
export const VersionFile = z.object({ path: z.string().min(1), digest: Digest, size: Count });
export type VersionFile = z.output<typeof VersionFile>;

/** Why the scanner flagged a file. */
export const ScanFlag = z.object({
  rule: z.string(),
  category: z.string(),
  severity: z.string(),
  confidence: z.string(),
  file: z.string(),
  line: z.number().int().positive().nullable(),
  message: z.string(),
});
export type ScanFlag = z.output<typeof ScanFlag>;

/** Result of the scan at publication, or of a later one. */
export const ScanResult = z.object({
  verdict: z.string().describe('`clean`, `caution` or `danger`'),
  engine: z.string().describe('Name and version of the scanner'),
  scanned: Time,
  flags: z.array(ScanFlag),
});
export type ScanResult = z.output<typeof ScanResult>;

/** Where a version was built, proved by an identity token of the CI system or recorded by a mirror. */
export const Provenance = z.object({
  kind: z.enum(['ci', 'mirror']),
  issuer: z.string().nullable().describe('OIDC issuer'),
  subject: z.string().nullable(),
  repository: z.string().nullable(),
  repositoryId: z.string().nullable(),
  ownerId: z.string().nullable().describe('Id of the repository owner; it survives renames'),
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  workflow: z.string().nullable(),
  run: WebAddress.nullable().describe('The run that published it'),
});
export type Provenance = z.output<typeof Provenance>;

/** Everything that never changes about a version. */
export const VersionDocument = z.object({
  schema: z.literal(1),
  name: Address,
  version: Version,
  description: z.string(),
  license: z.string().nullable(),
  client: z.string().nullable().describe('Range of skc versions that can install it; null for all'),
  archive: z.object({ digest: Digest, size: Count }),
  unpacked: Count.describe('Bytes of all files'),
  files: z.array(VersionFile).describe('Sorted by path'),
  scan: ScanResult.describe('The scan at publication'),
  published: Time,
  publishedBy: z.string().describe('Account'),
  provenance: Provenance.nullable(),
});
export type VersionDocument = z.output<typeof VersionDocument>;
