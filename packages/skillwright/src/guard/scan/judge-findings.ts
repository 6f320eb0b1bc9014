// Turns findings into a verdict: weak signals add up, repeated ones do not.

import type { ScanConfidence, ScanFinding, ScanSeverity, ScanVerdict } from './finding.ts';

const points: Readonly<Record<ScanSeverity, Readonly<Record<ScanConfidence, number>>>> = {
  critical: { high: 100, medium: 50, low: 6 },
  high: { high: 60, medium: 35, low: 6 },
  medium: { high: 25, medium: 14, low: 4 },
  low: { high: 5, medium: 2, low: 0 },
};

/** From this score on, read the skill before you use it. */
const CAUTION = 15;
/** From this score on, do not use it. */
const DANGER = 30;

/** A finding from this weight on is evidence by itself. */
const STRONG = 25;

/** Sum of the findings: the worst of each rule counts; within a category, each further rule counts half. */
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
 * Danger takes an act, or two kinds of evidence in two places that each count on their own: minor findings do not add up
 * to danger, and two rules that match the same words are one piece of evidence.
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

/** Score and verdict of findings, worst first, headed by a summary where they are serious only together. */
export function judgeFindings(
  findings: readonly ScanFinding[],
  scan: { isPartial: boolean },
): { verdict: ScanVerdict; score: number; findings: ScanFinding[] } {
  const score = scoreFindings(findings);
  const verdict = verdictOf(score, scan);
  const sum = verdict === 'danger' ? sumUp(findings, score) : undefined;
  return { verdict, score, findings: sum === undefined ? [...findings] : [sum, ...findings] };
}

const certainty = { high: 'almost certain', medium: 'likely', low: 'uncertain' } as const;

/**
 * The first thing a user should know: what the worst finding does, where, how sure that is, and what to do. Undefined if nothing was
 * found that matters.
 */
export function verdictSentence({
  verdict,
  findings,
}: {
  readonly verdict: ScanVerdict;
  readonly findings: readonly ScanFinding[];
}): string | undefined {
  const worst = findings.find(({ is_sum: isSum }) => isSum !== true);
  if (verdict === 'clean' || worst === undefined) return undefined;
  const { message, file, line, confidence, reason, help } = worst;
  const place = line === null ? file : `${file}:${line}`;
  return `If an agent uses it: ${message} (${place}, ${certainty[confidence]}). ${reason} ${help}`;
}

/** Verdict for a score; a skill with unscanned parts is never called clean. */
function verdictOf(score: number, scan: { isPartial: boolean }): ScanVerdict {
  if (score >= DANGER) return 'danger';
  return score >= CAUTION || scan.isPartial ? 'caution' : 'clean';
}

/** Summarises minor findings that are serious together. Worst first. */
function sumUp(findings: readonly ScanFinding[], score: number): ScanFinding | undefined {
  const [worst] = findings;
  if (worst === undefined || worst.severity === 'high' || worst.severity === 'critical') return undefined;
  const names = [...new Set(findings.map(({ rule, name }) => `${rule} ${name}`))];
  return {
    ...worst,
    severity: 'high',
    confidence: 'medium',
    message: `these findings are serious together (${score} points): ${names.join(', ')}`,
    reason: 'Each of them can be harmless; all of them in one skill rarely are.',
    help: 'Read every finding below before you use the skill.',
    is_sum: true,
  };
}
