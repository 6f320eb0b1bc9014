// The baseline of reports: the skills of an earlier report, and the findings people accepted.

import { dirname } from 'node:path';
import * as z from 'zod';
import { compareBytes, makeDirectory, writeFileAtomic } from '../../base/files/index.ts';
import { ABILITY_KINDS, readBaselineFile, ScanVerdict } from '../../guard/scan/index.ts';
import type { ReportedSkill } from './report.ts';

const Text = z.string().max(4096);

/** An accepted finding. `not-scanned` in `.` stands for the parts of a skill that could not be scanned. */
const AcceptedFinding = z.strictObject({
  id: Text,
  rule: Text,
  file: Text,
  digest: Text,
  by: Text,
  why: Text,
  at: Text,
});
export type AcceptedFinding = z.output<typeof AcceptedFinding>;

/** The rule of an acceptance of everything that could not be scanned. */
export const NOT_SCANNED = 'not-scanned';

/** One skill of a baseline. */
const BaselineEntry = z.strictObject({
  path: Text,
  name: Text,
  digest: Text.nullable(),
  verdict: ScanVerdict,
  licence: Text.nullable(),
  abilities: z.array(Text).max(2000),
  accepted: z.array(AcceptedFinding).max(10_000),
});
export type BaselineEntry = z.output<typeof BaselineEntry>;

const Baseline = z.strictObject({
  kind: z.literal('skc-report-baseline'),
  version: z.literal(1),
  skills: z.array(BaselineEntry).max(20_000),
});

const MAX_BYTES = 16 * 1024 * 1024;

/** The skills in a file, by path. E261 when it is unusable, or missing although it is needed. */
export function readReportBaseline(path: string, { isNew }: { isNew: boolean }): Map<string, BaselineEntry> {
  const baseline = readBaselineFile(path, { schema: Baseline, maxBytes: MAX_BYTES, code: 'E261', isNew });
  return new Map(baseline?.skills.map((skill) => [skill.path, skill]));
}

/** Writes a baseline, sorted, so that changing one skill changes only its lines. */
export function writeReportBaseline(path: string, skills: Iterable<BaselineEntry>): void {
  const sorted = [...skills].sort((a, b) => compareBytes(a.path, b.path));
  makeDirectory(dirname(path));
  writeFileAtomic(
    path,
    `${JSON.stringify({ kind: 'skc-report-baseline', version: 1, skills: sorted }, null, 2)}\n`,
  );
}

/** The entry of a skill, with acceptances. */
export function baselineOf(skill: ReportedSkill, accepted: readonly AcceptedFinding[]): BaselineEntry {
  const { path, name, digest, verdict_of_all: verdict } = skill;
  const key = ({ file, rule, id }: AcceptedFinding) => [file, rule, id].join('\0');
  return {
    path,
    name,
    digest,
    verdict,
    licence: licenceOf(skill),
    abilities: abilityTexts(skill),
    accepted: accepted.toSorted((a, b) => compareBytes(key(a), key(b))),
  };
}

const licenceOf = ({ licence }: ReportedSkill): string | null => licence.declared ?? licence.detected;

const abilityTexts = ({ abilities }: ReportedSkill): string[] =>
  ABILITY_KINDS.flatMap((kind) => {
    const found = abilities.find((ability) => ability.kind === kind)?.found ?? [];
    return [...new Set(found.map(({ what }) => `${kind}: ${what}`))].sort();
  });

/** Differences from the baseline, in words; undefined for a new skill. */
export function changesSince(skill: ReportedSkill, before: BaselineEntry | undefined): string[] | undefined {
  if (before === undefined) return undefined;
  const changes: string[] = [];
  const { verdict_of_all: verdict } = skill;
  if (verdict !== before.verdict) changes.push(`verdict: ${before.verdict}, now ${verdict}`);
  const [now, then] = [abilityTexts(skill), before.abilities];
  changes.push(...now.filter((one) => !then.includes(one)).map((one) => `can now use ${one}`));
  changes.push(...then.filter((one) => !now.includes(one)).map((one) => `no longer uses ${one}`));
  if (licenceOf(skill) !== before.licence)
    changes.push(`licence: ${before.licence ?? 'none'}, now ${licenceOf(skill) ?? 'none'}`);
  if (skill.digest !== before.digest) changes.push('its files changed');
  return changes;
}
