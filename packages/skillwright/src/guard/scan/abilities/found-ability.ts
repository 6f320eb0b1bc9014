// Abilities of a skill, as found in its files, and those that findings of the scan imply.

import type { ScanCategory, ScanFinding } from '../finding.ts';

/** Kinds of abilities, in the order reports show them. */
export const ABILITY_KINDS = ['network', 'programs', 'secrets', 'writes', 'tools'] as const;
/** Network access; programs and scripts; secrets of the user; files outside the skill; tools of the agent. */
export type AbilityKind = (typeof ABILITY_KINDS)[number];

/** One ability, with the first place it was found in. */
export interface FoundAbility {
  readonly kind: AbilityKind;
  /** In one or two words: `curl`, `GITHUB_TOKEN`, `deletes files`. */
  readonly what: string;
  /** A script does it itself; instructions have the agent run a command. */
  readonly by: 'script' | 'instructions';
  /** The program that does it; a declaration may name it. */
  readonly program?: string | undefined;
  /** Number of places. */
  readonly count: number;
  readonly file: string;
  readonly line: number | null;
  readonly excerpt: string | null;
}

/** The ability that a finding of a category shows. */
const implied: Readonly<Partial<Record<ScanCategory, AbilityKind>>> = {
  'download-and-run': 'network',
  'remote-code': 'network',
  exfiltration: 'network',
  credentials: 'secrets',
  persistence: 'writes',
  destruction: 'writes',
};

/** Adds kinds that only the scan's findings show. Unlikely findings, and sentences, imply nothing. */
export function addFindings(
  abilities: readonly FoundAbility[],
  findings: readonly ScanFinding[],
): FoundAbility[] {
  const all = [...abilities];
  for (const { category, confidence, severity, rule, name, file, line, excerpt, is_sum: isSum } of findings) {
    const kind = implied[category];
    if (kind === undefined || isSum || confidence === 'low' || severity === 'low') continue;
    if (all.some((one) => one.kind === kind)) continue;
    const by = /\.(?:md|mdx|markdown|txt)$/i.test(file) ? 'instructions' : 'script';
    all.push({ kind, what: `${name} (${rule})`, by, count: 1, file, line, excerpt });
  }
  return ABILITY_KINDS.flatMap((kind) => all.filter((one) => one.kind === kind));
}
