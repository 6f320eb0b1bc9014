// Abilities that findings of the scan imply.

import type { ScanCategory, ScanFinding } from '../finding.ts';
import { ABILITY_KINDS, type AbilityKind, type FoundAbility } from './found-ability.ts';

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
