// A report on skills: its data, the same in every format.

import * as z from 'zod';
import { Ability } from '../../guard/abilities/index.ts';
import { ScanFinding, ScanVerdict, SkippedFile, TrustScore } from '../../guard/scan/index.ts';

/** A person's acceptance of a finding. */
export const Acceptance = z.object({
  by: z.string(),
  why: z.string(),
  at: z.string().describe('When it was accepted'),
  where: z.enum(['baseline', 'lock']),
  counts: z.boolean().describe('False for the lock without --trust-lock'),
});
export type Acceptance = z.output<typeof Acceptance>;

/** A scan finding, and who accepted it. */
export const ReportedFinding = ScanFinding.extend({
  id: z.string().describe('Valid until its file changes'),
  digest: z.string().describe('Digest of its file'),
  accepted: Acceptance.nullable(),
});
export type ReportedFinding = z.output<typeof ReportedFinding>;

/** The licence a skill names, and the one in its licence file. */
export const Licence = z.object({
  declared: z.string().nullable().describe('The `license` field'),
  file: z.string().nullable().describe('The licence file'),
  detected: z
    .string()
    .nullable()
    .describe('The licence its text is, as an SPDX id; null when not recognised'),
  problem: z.string().nullable().describe('Why the two do not go together'),
  refused: z.string().nullable().describe('Why `report.licences` refuses it; null when it does not'),
});
export type Licence = z.output<typeof Licence>;

/** Where an installed skill comes from. */
const Source = z.object({
  source: z.string(),
  registry: z.string().nullable(),
  name: z.string().nullable().describe('`@owner/name` at the registry'),
  path: z.string().describe('Where it is inside the source'),
  version: z.string().nullable(),
  commit: z.string().nullable(),
  digest: z.string(),
  pinned: z.boolean(),
  installed_at: z.string(),
  edits: z.array(z.string()).describe('Files with edits that an update kept'),
  changes: z.array(z.string()).describe('Other differences from the lock'),
  update: z.string().nullable().describe("Newer version that the last 'skc outdated' found"),
  notices: z.array(z.object({ kind: z.string(), text: z.string() })).describe('Warnings from its registry'),
});

const Lint = z.object({
  errors: z.number().int(),
  warnings: z.number().int(),
  findings: z.array(
    z.object({
      rule: z.string().describe('Rule id, or the code of the problem'),
      severity: z.enum(['error', 'warning', 'info']),
      message: z.string(),
      path: z.string(),
      line: z.number().int().nullable(),
    }),
  ),
});

const Size = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  tokens: z.number().int().describe('Tokens of SKILL.md'),
  all_tokens: z.number().int().describe('Tokens of all its text files'),
  stub_tokens: z.number().int().nullable().describe('Tokens of its stub; null when it is not built'),
});

/** Whether somebody has to decide about a skill, and who decided. */
const Decision = z.object({
  state: z
    .enum(['not-needed', 'accepted', 'needed'])
    .describe('`not-needed`: nothing was found that needs one'),
  accepted: z.array(Acceptance).describe('Who accepted findings, each reason once'),
  agents: z
    .enum(['free', 'asked', 'off', 'denied', 'user-only', 'unavailable', 'locked', 'broken'])
    .describe(
      'Whether agents may use it here, by configuration and frontmatter; `broken`: its SKILL.md cannot be loaded',
    ),
  seen_by: z
    .array(z.string())
    .describe(
      'The agents used here that list it, whatever skc allows: they read their directories themselves',
    ),
  granted: z.array(z.string()).describe('Access beyond the sandbox that the user of this machine granted'),
});

/** Everything about one skill. */
export const ReportedSkill = z.object({
  name: z.string(),
  path: z.string().describe('Its directory, relative to the project if it is inside'),
  description: z.string(),
  locked: z.boolean().describe('Locked behind a quiz: nothing of it is quoted'),
  digest: z.string().nullable().describe('Digest of all files; null when one cannot be read'),
  verdict: ScanVerdict.describe('The verdict without accepted findings'),
  verdict_of_all: ScanVerdict,
  complete: z.boolean().describe('False when something could not be scanned: see `skipped`'),
  skipped: z.array(SkippedFile),
  findings: z.array(ReportedFinding).describe('Worst first'),
  abilities: z.array(Ability).describe('What it can do: one entry for each kind'),
  licence: Licence,
  source: Source.nullable().describe('From the lock; null for a skill that was not installed'),
  trust: TrustScore,
  lint: Lint,
  size: Size,
  decision: Decision,
  change: z
    .enum(['new', 'changed', 'same'])
    .nullable()
    .describe('Compared with the baseline; null without one'),
  changes: z.array(z.string()).describe('What changed since the baseline'),
});
export type ReportedSkill = z.output<typeof ReportedSkill>;

/** A report. */
export const SkillReport = z.object({
  kind: z.literal('skc-report'),
  version: z.literal(1),
  generated_at: z.string().describe('The only field that differs between two runs on the same skills'),
  tool: z.string(),
  project: z.string().describe("Name of the project's directory"),
  summary: z.string().describe('One sentence'),
  fail_on: z.enum(['caution', 'danger', 'licence']).nullable(),
  checked: z
    .object({ project: z.number().int(), user: z.number().int() })
    .describe('How many of the skills are in the project, and how many elsewhere'),
  failed: z.boolean(),
  failing: z.array(z.string()).describe('Paths of the skills that make --fail-on fail'),
  counts: z.object({
    skills: z.number().int(),
    usable: z.number().int().describe('Skills that need no decision, and that agents may use'),
    undecided: z.number().int(),
    broken: z.number().int().describe('Skills whose SKILL.md cannot be loaded'),
    clean: z.number().int(),
    caution: z.number().int().describe('By the verdict without accepted findings'),
    danger: z.number().int(),
    accepted: z.number().int().describe('Skills whose findings were accepted'),
    locked: z.number().int(),
    denied: z.number().int().describe('Skills that a rule denies'),
    off: z.number().int().describe('Skills that are switched off'),
    unavailable: z.number().int().describe('Skills that lack a required command'),
    user_only: z.number().int().describe('Skills that only you can call'),
    unlicensed: z.number().int().describe('Skills without a licence'),
    refused: z.number().int().describe('Skills whose licence `report.licences` refuses'),
    undeclared: z.number().int().describe('Skills that do more than their own declaration says'),
  }),
  baseline: z
    .object({
      path: z.string(),
      written: z.boolean(),
      new: z.array(z.string()),
      changed: z.array(z.string()),
      gone: z.array(z.string()).describe('Paths in the baseline that are not in the report'),
    })
    .nullable(),
  skills: z.array(ReportedSkill).describe('In the order of their paths'),
  problems: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .describe('Directories that could not be read, and skills you may not read'),
  not_searched: z.array(z.string()).describe('Directories that were not searched, each with the reason'),
  output: z.string().nullable().describe('The file that --output wrote'),
});
export type SkillReport = z.output<typeof SkillReport>;

/**
 * Undeclared abilities, in words: `network: curl`. Most skills declare nothing, and so claim nothing: of
 * those, only the use of secrets is worth a mark.
 */
export function undeclaredOf({ abilities }: Pick<ReportedSkill, 'abilities'>): string[] {
  return abilities.flatMap((ability) =>
    isBeyond(ability, abilities)
      ? ability.found.filter(({ declared }) => !declared).map(({ what }) => `${ability.kind}: ${what}`)
      : [],
  );
}

/** Whether an ability was found that the skill should have declared. */
export function isBeyond({ kind, found }: Ability, all: readonly Ability[]): boolean {
  const claims = kind === 'secrets' || all.some(({ declared }) => declared.length > 0);
  return claims && found.some(({ declared }) => !declared);
}
