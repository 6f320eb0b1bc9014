// Parts that the results of all install commands share.

import * as z from 'zod';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Consent, Review } from '../../ship/install/index.ts';

/** The exact version a source resolved to. */
export const ResolutionOutput = z.object({
  commit: z.string().nullable(),
  version: z.string().nullable(),
  digest: z.string().nullable(),
});

/** A skill that failed while the rest succeeded. */
export const FailureOutput = z.object({
  name: z.string(),
  code: z.string(),
  message: z.string(),
  help: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
});

/** A warning about a skill from its registry. */
export const NoticeOutput = z.object({
  kind: z.enum([
    'purged',
    'quarantined',
    'rejected',
    'pending',
    'scan',
    'yanked',
    'too-young',
    'advisory',
    'deprecated',
  ]),
  text: z.string(),
});

/** Owner, name and registry of a skill from a registry. */
export const OriginOutput = z
  .object({ registry: z.string(), name: z.string().describe('`@owner/name`') })
  .nullable()
  .describe('For a skill of a registry');

/** The source of a skill as people read it. */
export function showOrigin({
  source,
  origin,
}: {
  readonly source: string;
  readonly origin: z.output<typeof OriginOutput>;
}): string {
  return origin === null ? source : `${origin.name} (${origin.registry})`;
}

/** How a skill was installed. */
export const InstallOutput = z.object({
  source: z.string(),
  origin: OriginOutput,
  path: z.string().describe('Where it is inside the source'),
  version: z.string().nullable(),
  commit: z.string().nullable(),
  digest: z.string(),
  pinned: z.boolean(),
  installed_at: z.string(),
  agents: z.array(z.object({ agent: z.string(), method: z.enum(['link', 'copy']) })),
  edits: z.array(z.string()).describe('Files with edits that an update kept'),
  verdict: z
    .enum(['clean', 'caution', 'danger'])
    .nullable()
    .describe('Scan verdict at the time of installation'),
  update: z
    .object({ wanted: z.string(), latest: z.string().nullable(), checked_at: z.string() })
    .nullable()
    .describe("Result of the last 'skc outdated'"),
  notices: z.array(NoticeOutput).describe('Warnings from its registry'),
  checked_at: z.string().nullable().describe('When its source said so; null when it was never asked'),
});

/** The version, or the start of the commit or digest. */
export function versionLabel({ version, commit, digest }: z.output<typeof InstallOutput>): string {
  return version ?? commit?.slice(0, 12) ?? digest.slice(7, 19);
}

/** Scan and trust score of a skill. */
export const ReviewOutput = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  scan: z.object({
    verdict: z.enum(['clean', 'caution', 'danger']),
    findings: z
      .array(
        z.object({
          id: z.string().describe('The id for --accept'),
          rule: z.string(),
          severity: z.string(),
          file: z.string(),
          line: z.number().int().nullable(),
          message: z.string(),
        }),
      )
      .describe('Worst first; at most 20'),
    total: z.number().int().describe('Number of findings'),
  }),
  trust: z.object({
    score: z.number().describe('From 0 to 100'),
    factors: z.array(
      z.object({ factor: z.string(), points: z.number(), max: z.number(), reason: z.string() }),
    ),
  }),
});

const SHOWN_FINDINGS = 20;

/** A resolution as it is printed. */
export function resolutionOutput(resolution: {
  readonly commit?: string | undefined;
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
}): z.output<typeof ResolutionOutput> {
  const { commit = null, version = null, digest = null } = resolution;
  return { commit, version, digest };
}

/** A failure as it is printed. */
export function failureOutput(name: string, error: Diagnostic): z.output<typeof FailureOutput> {
  const { code, message, help = null, data = null } = error;
  return { name, code, message, help, data };
}

/** A review as it is printed. */
export function reviewOutput({
  files,
  bytes,
  verdict,
  findings,
  trust,
}: Review): z.output<typeof ReviewOutput> {
  return {
    files,
    bytes,
    scan: {
      verdict,
      findings: findings
        .slice(0, SHOWN_FINDINGS)
        .map(({ id, rule, severity, file, line, message }) => ({ id, rule, severity, file, line, message })),
      total: findings.length,
    },
    trust: {
      score: trust.score,
      factors: trust.factors.map(({ factor, points, max, reason }) => ({ factor, points, max, reason })),
    },
  };
}

/** A finding that somebody accepted. */
export const AcceptanceOutput = z.object({
  finding: z.string(),
  rule: z.string(),
  file: z.string(),
  digest: z.string(),
  by: z.string(),
  reason: z.string(),
  at: z.string(),
  holds: z.boolean().describe('Whether the file is unchanged since'),
});

/** Flags to accept findings, for every command that installs content. */
export const consentInput = {
  accept: z
    .array(z.string())
    .default([])
    .describe('Accept these scan findings, by id or rule, such as SCN201,SCN305; needs --reason'),
  reason: z.string().max(1000).optional().describe('Why you accept them; saved in the lock'),
  trust_lock: z.boolean().default(false).describe("Accept the findings that the project's lock accepts"),
};

/** Findings the user accepts. */
export function consentOf(input: {
  readonly accept: readonly string[];
  readonly reason?: string | undefined;
  readonly trust_lock: boolean;
}): Consent {
  const { accept, reason, trust_lock: trustLock } = input;
  return { accept, reason, trustLock };
}

/** The scope of a command about installed skills. */
export const ScopeInput = z.enum(['project', 'user']).optional();
