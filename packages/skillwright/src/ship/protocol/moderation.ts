// Decisions of moderators about skills and versions, and the lists they work on.

import validRange from 'semver/ranges/valid.js';
import * as z from 'zod';
import { asked } from './asked-field.ts';
import { ReportRequest } from './requests.ts';
import { Installable, RegistryAdvisory } from './skill-index.ts';
import { Address, Reason, RegistryLevel, Time, Version, WebAddress } from './values.ts';
import { ScanResult } from './version-document.ts';

/** Sets the level of a skill. */
export const LevelRequest = z.strictObject({ level: RegistryLevel });

/** A new advisory; the registry numbers it. */
export const AdvisoryRequest = z.strictObject({
  severity: RegistryAdvisory.shape.severity,
  summary: Reason,
  affected: z
    .string()
    .max(200)
    .refine((range) => validRange(range) !== null, 'must be a range of versions'),
  url: RegistryAdvisory.shape.url,
});

/** A report as reviewers see it. */
export const Report = z.object({
  id: z.string(),
  name: Address,
  version: z.string().nullable(),
  kind: ReportRequest.shape.kind,
  message: z.string(),
  by: z.string(),
  at: Time,
  resolution: z.string().nullable(),
});
export type Report = z.output<typeof Report>;

/** Ends a report, with what was done about it. */
export const ResolveRequest = z.strictObject({ resolution: asked(Reason, { label: 'What was done' }) });

/** Applies for the level `verified`: the people behind a skill show who they are. */
export const VerificationRequest = z.strictObject({
  statement: asked(z.string().trim().min(1).max(2000), {
    label: 'Who publishes this skill?',
    hint: 'Name the person or the organisation, and say how a moderator can check it.',
    rows: 4,
  }),
  url: asked(WebAddress.max(1000).nullable().default(null), {
    label: 'Page that confirms it',
    hint: 'One of your own, which names this skill or its namespace',
  }),
});

/** Grants or declines an application. */
export const VerificationDecision = z.strictObject({
  decision: z.enum(['grant', 'decline']),
  reason: asked(Reason, { label: 'Reason', hint: 'The applicant sees it.' }),
});

/** An application for the level `verified`. */
export const Verification = VerificationRequest.extend({
  id: z.string(),
  name: Address,
  by: z.string().describe('Account that applied'),
  at: Time,
  decision: VerificationDecision.shape.decision.nullable().describe('Null while it waits'),
  reason: z.string().nullable(),
});
export type Verification = z.output<typeof Verification>;

/** A version that waits for a reviewer. */
export const PendingVersion = z.object({
  name: Address,
  version: Version,
  published: Time,
  publishedBy: z.string(),
  verdict: z.string(),
  flagged: z.string().nullable().describe('Why a published version needs another look'),
  installable: Installable,
  isOwn: z.boolean().describe('You published it, so somebody else has to review it'),
});
export type PendingVersion = z.output<typeof PendingVersion>;

/** All scans of a version, the one at publication first. */
export const ScanHistory = z.object({ scans: z.array(ScanResult), flagged: z.string().nullable() });
