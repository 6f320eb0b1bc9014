// Schemas of the results about installed skills. They load nothing but zod: a command declares its output with them before
// the code that installs is needed.

import * as z from 'zod';

const Scope = z.enum(['project', 'user']);

const Form = z.enum(['stub', 'files', 'whole']);

/** The exact version a source resolved to. */
export const Resolved = z.object({
  commit: z.string().nullable(),
  version: z.string().nullable(),
  digest: z.string().nullable(),
});
export type Resolved = z.output<typeof Resolved>;

/** A skill that failed while the rest succeeded. */
export const Failure = z.object({
  name: z.string(),
  code: z.string(),
  message: z.string(),
  help: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
});
export type Failure = z.output<typeof Failure>;

/** A warning of a registry about a version, in its own words, which are untrusted. The most severe kind comes first. */
export const Notice = z.object({
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
export type Notice = z.output<typeof Notice>;

/** Owner, name and registry of a skill from a registry. */
export const Origin = z
  .object({ registry: z.string(), name: z.string().describe('`@owner/name`') })
  .nullable()
  .describe('For a skill of a registry');
export type Origin = z.output<typeof Origin>;

/** The source of a skill as people read it. */
export function showOrigin({ source, origin }: { readonly source: string; readonly origin: Origin }): string {
  return origin === null ? source : `${origin.name} (${origin.registry})`;
}

/** How a skill was installed. */
export const InstallFacts = z.object({
  source: z.string(),
  origin: Origin,
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
  notices: z.array(Notice).describe('Warnings from its registry'),
  checked_at: z.string().nullable().describe('When its source said so; null when it was never asked'),
});
export type InstallFacts = z.output<typeof InstallFacts>;

/** The version, or the start of the commit or digest. */
export function versionLabel({ version, commit, digest }: InstallFacts): string {
  return version ?? commit?.slice(0, 12) ?? digest.slice(7, 19);
}

/** Scan and trust score of a skill. */
export const ReviewSummary = z.object({
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
export type ReviewSummary = z.output<typeof ReviewSummary>;

/** Result of installing skills of a source, or of restoring the lock. */
export const InstallOutcome = z.object({
  scope: Scope,
  source: z.string().nullable().describe('As written in the lock; null when the lock was restored'),
  installed: z.boolean().describe('False for a dry run, or when nothing changed'),
  declined: z.boolean().describe('True when a person was asked and said no'),
  skills: z.array(
    z.object({
      name: z.string(),
      status: z
        .enum(['new', 'update', 'replace', 'unchanged', 'restored', 'linked', 'removed'])
        .describe('What happens to it; restored, linked and removed only when the lock is restored'),
      path: z.string().nullable().describe('Where it is inside the source'),
      description: z.string().nullable(),
      agents: z.array(z.string()),
      pinned: z.boolean().nullable(),
      resolution: Resolved.nullable(),
      review: ReviewSummary.nullable().describe('Scan and trust score'),
      deployments: z.array(
        z.object({
          target: z.string(),
          path: z.string(),
          method: z.string(),
          form: Form.describe('The form it is deployed in'),
          why: z.string().describe('Why it has this form'),
        }),
      ),
      backup: z.string().nullable().describe('Backup of whatever was there before'),
    }),
  ),
  failed: z.array(Failure),
});
export type InstallOutcome = z.output<typeof InstallOutcome>;

/** Result of updating installed skills. */
export const UpdateOutcome = z.object({
  dry_run: z.boolean(),
  updated: z.array(
    z.object({
      name: z.string(),
      scope: Scope,
      status: z.enum(['updated', 'current', 'pinned', 'conflicts', 'declined']),
      from: Resolved,
      to: Resolved,
      changed: z.array(z.string()).describe('Files that changed in the source'),
      kept: z.array(z.string()).describe('Files that differ from the source because of your edits'),
      merged: z.array(z.string()).describe('Files with changes from both sides'),
      conflicts: z.array(z.string()).describe('Files in conflict, with the lines both sides changed'),
      versions: z.string().nullable().describe('Directory with three versions of each file in conflict'),
      review: ReviewSummary.nullable(),
      backup: z.string().nullable(),
    }),
  ),
  failed: z.array(Failure),
});
export type UpdateOutcome = z.output<typeof UpdateOutcome>;

/** Result of uninstalling skills. */
export const UninstallOutcome = z.object({
  dry_run: z.boolean(),
  uninstalled: z.array(
    z.object({
      name: z.string(),
      scope: Scope,
      removed: z.array(z.string()),
      kept: z.array(z.string()).describe("Left in agents' directories: not made by skc, or changed since"),
      restored: z.array(z.string()).describe('There again: what was there before skc deployed the skill'),
      backup: z.string().nullable(),
    }),
  ),
});
export type UninstallOutcome = z.output<typeof UninstallOutcome>;

/** Result of comparing installed skills with their sources. */
export const OutdatedOutcome = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      scope: Scope,
      status: z
        .enum(['current', 'outdated', 'moved', 'gone', 'unreachable'])
        .describe('moved: its tag or version now points to other content'),
      pinned: z.boolean(),
      source: z.string(),
      origin: Origin,
      current: z.string(),
      wanted: z.string().nullable().describe('The version update would install'),
      latest: z.string().nullable().describe('The newest version'),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      notices: z.array(Notice).describe('Warnings about the installed version'),
      checked_at: z.string().nullable().describe('When the registry said so, if it was not asked now'),
    }),
  ),
});
export type OutdatedOutcome = z.output<typeof OutdatedOutcome>;

/** Result of comparing places with their locks. */
export const VerifyOutcome = z.object({
  strict: z.boolean(),
  skills: z.array(
    z.object({
      name: z.string(),
      scope: Scope,
      source: z.string(),
      origin: Origin,
      ok: z.boolean(),
      present: z.boolean().describe('False when its directory is gone'),
      modified: z.array(z.string()),
      missing: z.array(z.string()),
      extra: z.array(z.string()),
      edited: z.array(z.string()).describe('Edits that belong to the project and do not fail'),
      behind: z.array(z.string()).describe('Files from an earlier lock; skc install updates them'),
      unshared: z.array(z.string()).describe('Edits missing from .skillc/edits, so other machines lack them'),
      runtime: z.enum(['ok', 'missing', 'stale', 'damaged']),
      deployments: z.array(
        z.object({
          agent: z.string(),
          method: z.enum(['link', 'copy']),
          path: z.string().nullable(),
          state: z.enum(['ok', 'missing', 'broken', 'foreign', 'changed', 'unusable']),
        }),
      ),
      accepted: z
        .array(
          z.object({
            finding: z.string(),
            rule: z.string(),
            file: z.string(),
            digest: z.string(),
            by: z.string(),
            reason: z.string(),
            at: z.string(),
            holds: z.boolean().describe('Whether the file is unchanged since'),
          }),
        )
        .describe('Findings of the scan that somebody accepted'),
      log: z
        .object({
          state: z.enum(['ok', 'missing', 'bad', 'unpinned']),
          why: z.string(),
          code: z.string().nullable(),
        })
        .nullable()
        .describe('Whether the log of its registry contains it, with --log'),
      faults: z.array(z.string()).describe('Why --strict fails'),
    }),
  ),
  left: z
    .array(z.object({ name: z.string(), scope: Scope, dir: z.string(), edited: z.boolean() }))
    .describe('Installed skills that are no longer in the lock'),
  skills_lock: z
    .array(
      z.object({
        name: z.string(),
        source: z.string(),
        status: z.enum(['ok', 'modified', 'missing', 'unreadable']),
        paths: z.array(z.string()),
      }),
    )
    .describe('Skills of a skills-lock.json in the project'),
});
export type VerifyOutcome = z.output<typeof VerifyOutcome>;

/** Differences between an installed skill and its locked version, or its source. */
export const DiffOutcome = z.object({
  name: z.string(),
  scope: Scope,
  source: z.string(),
  origin: Origin,
  upstream: z.boolean(),
  against: Resolved,
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum(['added', 'deleted', 'changed', 'mode']),
      by: z
        .enum(['project', 'lock', 'you', 'source'])
        .describe('Origin of the change: an edit in the lock, a newer lock, your edit, or the source'),
      diff: z
        .string()
        .nullable()
        .describe('A unified diff; null for a file that is not text or may not be read'),
    }),
  ),
});
export type DiffOutcome = z.output<typeof DiffOutcome>;

/** Problems that the doctor found, and the facts it looked at. */
export const DoctorReport = z.object({
  findings: z.array(
    z.object({
      check: z.string().describe('Name of the check'),
      group: z.string(),
      severity: z.enum(['error', 'warning', 'info']),
      subject: z.string().describe('The path or name it concerns'),
      message: z.string(),
      why: z.string(),
      fix: z.string().describe('A command to run, or what to do'),
      fixable: z.boolean().describe('Whether --fix repairs it'),
      fixed: z.boolean().describe('Whether it has been repaired'),
    }),
  ),
  machine: z.object({
    skc: z.string(),
    git: z.object({ path: z.string(), version: z.string() }).nullable(),
    sandbox: z.object({
      name: z.string().nullable().describe('The sandbox for scripts; null if there is none'),
      why: z.string().nullable(),
      fix: z.string().nullable(),
    }),
  }),
  skills: z.number().int().describe('Skills of the stores that were checked'),
  agents: z.array(z.string()).describe('Agents used here'),
  forms: z
    .array(z.object({ skill: z.string(), form: Form, why: z.string() }))
    .describe('The form each compiled skill is deployed in, and why'),
});
export type DoctorReport = z.output<typeof DoctorReport>;

/** Changes to the deployments of one skill that was switched off, denied, or allowed again. */
export const Settled = z.object({
  name: z.string(),
  removed: z.array(z.string()).describe('Places from which agents no longer read it'),
  restored: z.array(z.string()),
  seen_by: z
    .array(z.object({ agent: z.string(), place: z.string() }))
    .describe('Agents that see it all the same, because skc did not put it there'),
  fix: z.string().nullable().describe('What would change that'),
});
export type Settled = z.output<typeof Settled>;
