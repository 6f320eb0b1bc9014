// Words that every format of a report uses.

import { formatCount, formatPlace } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import { formatCount as formatNumber } from '../pages/index.ts';
import type { ReportedSkill } from './report.ts';

/** Titles of the kinds of abilities. */
export const abilityTitles = {
  network: 'Network',
  programs: 'Scripts and programs',
  secrets: 'Secrets',
  writes: 'Writes files',
  tools: 'Tools of the agent',
} as const;

/** Kinds of abilities a skill has, and whether each was declared. */
export function abilitiesIn({ abilities }: ReportedSkill): { word: string; isDeclared: boolean }[] {
  return abilities.flatMap(({ kind, found }) =>
    found.length === 0 ? [] : [{ word: kind, isDeclared: found.every(({ declared }) => declared) }],
  );
}

/** Where the skill comes from, in a few words. */
export function originOf({ source }: ReportedSkill): string {
  if (source === null) return 'not installed by skc';
  const version = source.version ?? source.commit?.slice(0, 12) ?? source.digest.slice(7, 19);
  return `${source.name ?? source.source} ${version}${source.pinned ? ', pinned' : ''}`;
}

/** Decision and who made it, in a few words. */
export function decisionOf({ decision }: ReportedSkill): string {
  const { state, accepted, agents } = decision;
  if (state === 'not-needed') return agents === 'broken' ? 'not needed; it cannot be loaded' : 'not needed';
  const people = [...new Set(accepted.filter(({ counts }) => counts).map(({ by }) => by))];
  if (state === 'accepted') return `accepted by ${people.join(', ')}`;
  return people.length === 0 ? 'not decided' : `not decided; some findings accepted by ${people.join(', ')}`;
}

/** Whether agents may use it. */
export const agentWords = {
  free: 'may use it',
  asked: 'must ask before they use it',
  off: 'do not see it: it is switched off',
  denied: 'may not use it: a rule denies it',
  'user-only': 'do not see it: only you can call it',
  unavailable: 'do not see it: a required command is missing',
  locked: 'see its name: a quiz locks it',
  broken: 'do not see it: its SKILL.md cannot be loaded',
} as const;

/** The licence in a few words. */
export function licenceOf({ licence: { declared, detected, file } }: ReportedSkill): string {
  return declared ?? detected ?? (file === null ? 'none' : `see ${file}`);
}

/** Files, bytes and tokens. */
export function sizeWords({ size }: ReportedSkill): string {
  const stub = size.stub_tokens === null ? '' : `, ${formatNumber(size.stub_tokens)} in its stub`;
  return `${formatCount(size.files, 'file')}, ${formatBytes(size.bytes)}, ${formatNumber(size.tokens)} tokens in SKILL.md${stub}, ${formatNumber(size.all_tokens)} in all`;
}

/** Undecided skills first, the worst of them first, then the others by path. */
export function worstFirst(skills: readonly ReportedSkill[]): ReportedSkill[] {
  const rank = ({ decision, verdict }: ReportedSkill) =>
    decision.state !== 'needed' ? 2 : verdict === 'danger' ? 0 : 1;
  return skills.toSorted((a, b) => rank(a) - rank(b));
}

/** The finding that says best why a decision is needed. */
export function mainReason(skill: ReportedSkill): string {
  const open = skill.findings.find(
    ({ accepted, is_sum }) => (accepted === null || !accepted.counts) && is_sum !== true,
  );
  if (open !== undefined) return `${open.message} (${findingPlace(open)})`;
  const [skipped] = skill.skipped;
  return skill.complete || skipped === undefined ? '' : `not fully scanned: ${skipped.file} (${skipped.why})`;
}

/** Where a finding is; empty for one whose file may not be named. */
export const findingPlace = ({
  file,
  line,
}: {
  readonly file: string | null;
  readonly line: number | null;
}): string => (file === null ? '' : formatPlace(file, line));
