// What the commands about installed skills have in common in their results.

import * as z from 'zod';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Consent, Review } from '../../ship/install/index.ts';

/** What a source stood for. */
export const ResolutionOutput = z.object({
  commit: z.string().nullable(),
  version: z.string().nullable(),
  digest: z.string().nullable(),
});

/** A skill that could not be dealt with, among others that could. */
export const FailureOutput = z.object({
  name: z.string(),
  code: z.string(),
  message: z.string(),
  help: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
});

/** Something said against a skill by the registry it is from. */
export const NoticeOutput = z.object({
  kind: z.enum(['yanked', 'quarantined', 'deprecated', 'advisory']),
  text: z.string(),
});

/** What was found out about a skill. */
export const ReviewOutput = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  scan: z.object({
    verdict: z.enum(['clean', 'caution', 'danger']),
    findings: z
      .array(
        z.object({
          id: z.string().describe('What --accept takes'),
          rule: z.string(),
          severity: z.string(),
          file: z.string(),
          line: z.number().int().nullable(),
          message: z.string(),
        }),
      )
      .describe('The worst first; at most twenty'),
    total: z.number().int().describe('How many findings there are'),
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
  holds: z.boolean().describe('Whether the file is still the one that was accepted'),
});

/** How a command that brings content takes what its user accepts. */
export const consentInput = {
  accept: z
    .array(z.string())
    .default([])
    .describe('Accept these scan findings, by id or rule, such as SCN201,SCN305; needs --reason'),
  reason: z.string().max(1000).optional().describe('Why you accept them; saved in the lock'),
  trust_lock: z.boolean().default(false).describe("Accept the findings that the project's lock accepts"),
};

/** What the user accepts. */
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
