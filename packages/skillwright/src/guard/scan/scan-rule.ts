// Definition of a scan rule: metadata and a pure function, or patterns with what their matches mean. Its page
// `rules/<name>.md` explains and tests it.

import type { ScanCategory, ScanConfidence, ScanSeverity } from './finding.ts';
import type { Flow, FlowKind } from './flow/trace-flows.ts';
import type { Match } from './match.ts';
import type { Probe } from './probe.ts';
import type { ScanFile } from './scan-file.ts';
import type { ScanSubject } from './scan-subject.ts';

/** Something a rule found. */
export interface RuleHit {
  readonly message: string;
  /** Where; without it the finding is about `file` as a whole. */
  readonly match?: Match;
  /** The way of the data, if it is about data that moves. */
  readonly flow?: Flow;
  /** Path inside the skill, for a finding without a match; SKILL.md by default. */
  readonly file?: string;
  readonly line?: number;
  readonly excerpt?: string;
  /** Overrides the rule's own. */
  readonly severity?: ScanSeverity;
  /** Counts as an act: the same words carry two kinds of evidence. */
  readonly isAct?: boolean;
  /** How likely it is intended, from 0 to 1 or as a word; judged by the place of the match by default. */
  readonly confidence?: ScanConfidence | number;
}

/** A rule. */
export interface ScanRule {
  /** `SCN201`. */
  readonly id: `SCN${number}`;
  /** `download-and-run`: also the name of its page. */
  readonly name: string;
  readonly category: ScanCategory;
  readonly severity: ScanSeverity;
  /** One sentence: what the rule reports. */
  readonly summary: string;
  /** One sentence: why it matters. */
  readonly reason: string;
  /** One sentence: what to do. */
  readonly help: string;
  /** It finds words, not acts: serious only if hidden, or together with something else. */
  readonly isAboutWords?: true;
  check(subject: ScanSubject): Iterable<RuleHit>;
}

/** A value, or how to get it from a match. */
type Given<Value> = Value | ((match: Match, subject: ScanSubject) => Value);

/** A pattern, and what its matches mean. */
export interface Look {
  readonly probe: Probe;
  readonly message: Given<string>;
  /** Which matches count; all when left out. */
  readonly counts?: (match: Match, subject: ScanSubject) => boolean;
  readonly severity?: Given<ScanSeverity | undefined>;
  /** Part of the weight of its place that remains; all when left out. */
  readonly share?: Given<number>;
  /** Instead of that weight. */
  readonly confidence?: Given<ScanConfidence>;
  readonly excerpt?: Given<string>;
  readonly isAct?: true;
  /** Only in files in which the rule has found nothing yet. */
  readonly isFirst?: true;
}

/** A kind of data flow, and what it means. */
interface FlowLook {
  readonly kind: FlowKind;
  readonly message: string | ((flow: Flow) => string);
  readonly severity?: ScanSeverity;
  readonly counts?: (flow: Flow, subject: ScanSubject) => boolean;
  readonly excerpt?: (flow: Flow) => string;
  /** Only in files in which the rule has found nothing yet. */
  readonly isFirst?: true;
}

/** A rule that consists of patterns and kinds of flows. */
export function defineLooks({
  looks = [],
  flows = [],
  ...rule
}: Omit<ScanRule, 'check'> & {
  readonly looks?: readonly Look[];
  readonly flows?: readonly FlowLook[];
}): ScanRule {
  return {
    ...rule,
    *check(subject) {
      const seen = new Set<ScanFile>();
      for (const look of looks)
        for (const match of subject.matches(look.probe)) {
          if ((look.isFirst && seen.has(match.file)) || look.counts?.(match, subject) === false) continue;
          seen.add(match.file);
          const of = <Value>(given: Given<Value>): Value =>
            given instanceof Function ? given(match, subject) : given;
          const { isAct, share = 1 } = look;
          const [severity, excerpt] = [of(look.severity), of(look.excerpt)];
          yield {
            message: of(look.message),
            match,
            confidence: of(look.confidence) ?? subject.weigh(match) * of(share),
            ...(severity && { severity }),
            ...(excerpt !== undefined && { excerpt }),
            ...(isAct && { isAct }),
          };
        }
      for (const { kind, message, severity, counts, excerpt, isFirst } of flows)
        for (const flow of subject.flows) {
          const { from, to } = flow;
          if (flow.kind !== kind || (isFirst && seen.has(to.file)) || counts?.(flow, subject) === false)
            continue;
          seen.add(to.file);
          yield {
            message: message instanceof Function ? message(flow) : message,
            match: to,
            flow,
            // Data that moves is an act, in whatever part of a page the command stands.
            isAct: true,
            confidence: Math.min(subject.weigh(from), subject.weigh(to)),
            ...(severity && { severity }),
            ...(excerpt && { excerpt: excerpt(flow) }),
          };
        }
    },
  };
}
