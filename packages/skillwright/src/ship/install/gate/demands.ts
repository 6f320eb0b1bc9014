// The acceptances a skill needs before it may be installed.

import { type FindingIdentity, findingIdentity } from '../../../guard/scan/index.ts';
import { ASK_BELOW, type Review } from '../plan/preview.ts';

/** One thing to accept. */
export interface Demand extends FindingIdentity {
  readonly line: number | null;
  readonly severity: string;
  readonly message: string;
}

/** The rule under which a very low trust score is accepted. */
export const LOW_TRUST = 'low-trust';

/** The rule under which danger is accepted that no finding explains. */
const DANGER = 'danger';

/**
 * The acceptances a skill needs: with danger one for every finding above a remark, else one for a trust score below 30.
 * The score counts only if the source was fetched: it is unknown for content from the cache.
 */
export function demandsOf(
  review: Review,
  { isScored }: { readonly isScored: boolean },
): readonly [Demand, ...Demand[]] | readonly [] {
  const { verdict, findings, trust } = review;
  if (verdict === 'danger') {
    const grave = findings.filter(({ severity }) => severity !== 'low');
    const once = new Map((grave.length > 0 ? grave : findings).map((finding) => [finding.id, finding]));
    const [first, ...others] = once.values();
    return first === undefined ? [wholeDemand(DANGER, 'dangerous as a whole', review)] : [first, ...others];
  }
  if (!isScored || trust.score >= ASK_BELOW) return [];
  return [wholeDemand(LOW_TRUST, `trust score ${trust.score} of 100`, review)];
}

/** A demand about all of a skill. */
function wholeDemand(rule: string, message: string, { digest, verdict }: Review): Demand {
  const identity = findingIdentity({ rule, file: '.' }, { digest, line: '' });
  return { ...identity, line: null, severity: verdict === 'danger' ? 'high' : 'low', message };
}
