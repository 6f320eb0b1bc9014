// From findings to a verdict: weak signals add up, repeated ones do not.

import type { ScanConfidence, ScanFinding, ScanSeverity, ScanVerdict } from './finding.ts';

const points: Readonly<Record<ScanSeverity, Readonly<Record<ScanConfidence, number>>>> = {
  critical: { high: 100, medium: 50, low: 6 },
  high: { high: 60, medium: 35, low: 6 },
  medium: { high: 25, medium: 14, low: 4 },
  low: { high: 5, medium: 2, low: 0 },
};

/** From here on a skill is to be read before it is used. */
const CAUTION = 15;
/** From here on it is not to be used. */
const DANGER = 30;

/** A finding from here on is evidence by itself. */
const STRONG = 25;

/** What findings add up to: the worst of each rule counts, and several rules of one category count half after the first. */
function scoreFindings(findings: readonly ScanFinding[]): number {
  const byRule = new Map<string, { category: string; value: number }>();
  for (const { rule, category, severity, confidence } of findings) {
    const value = points[severity][confidence];
    if (value > (byRule.get(rule)?.value ?? 0)) byRule.set(rule, { category, value });
  }
  const seen = new Set<string>();
  let sum = 0;
  for (const { category, value } of [...byRule.values()].sort((a, b) => b.value - a.value)) {
    sum += seen.has(category) ? value / 2 : value;
    seen.add(category);
  }
  return isGrave(findings) ? Math.round(sum) : Math.min(Math.round(sum), DANGER - 1);
}

/**
 * Danger takes an act, or two kinds of evidence in two places that each count for themselves: crumbs do not add up to it,
 * and the same words that two rules find are one piece of evidence.
 */
function isGrave(findings: readonly ScanFinding[]): boolean {
  const strong = findings.filter(({ severity, confidence }) => points[severity][confidence] >= STRONG);
  if (strong.some(({ severity, confidence }) => points[severity][confidence] >= DANGER)) return true;
  return strong.some((one) =>
    strong.some(
      (other) => one.category !== other.category && !(one.file === other.file && one.line === other.line),
    ),
  );
}

/** Score and verdict of findings, worst first, with a sentence before them where they are grave only together. */
export function judgeFindings(
  findings: readonly ScanFinding[],
  scan: { isPartial: boolean },
): { verdict: ScanVerdict; score: number; findings: ScanFinding[] } {
  const score = scoreFindings(findings);
  const verdict = verdictOf(score, scan);
  const sum = verdict === 'danger' ? sumUp(findings, score) : undefined;
  return { verdict, score, findings: sum === undefined ? [...findings] : [sum, ...findings] };
}

/** The verdict that a score comes to; what was not looked at is never called clean. */
function verdictOf(score: number, scan: { isPartial: boolean }): ScanVerdict {
  if (score >= DANGER) return 'danger';
  return score >= CAUTION || scan.isPartial ? 'caution' : 'clean';
}

/** Says what findings of little weight come to together, where none of them is grave alone. Worst first. */
function sumUp(findings: readonly ScanFinding[], score: number): ScanFinding | undefined {
  const [worst] = findings;
  if (worst === undefined || worst.severity === 'high' || worst.severity === 'critical') return undefined;
  const names = [...new Set(findings.map(({ rule, name }) => `${rule} ${name}`))];
  return {
    ...worst,
    severity: 'high',
    confidence: 'medium',
    message: `taken together this is grave (${score} points): ${names.join(', ')}`,
    reason: 'Each of these has harmless reasons; all of them in one skill seldom do.',
    help: 'Read every finding below before you use the skill.',
    is_sum: true,
  };
}
