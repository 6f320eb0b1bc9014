// What has to be accepted before a skill may be installed.

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

/**
 * What has to be accepted: with danger every finding that is more than a remark, else a trust score below 30. The score
 * counts only where the source was asked: nobody knows it for what comes from the cache.
 */
export function demandsOf(review: Review, { isScored }: { readonly isScored: boolean }): readonly Demand[] {
  const { verdict, findings, trust, digest } = review;
  if (verdict === 'danger') {
    const grave = findings.filter(({ severity }) => severity !== 'low');
    const once = new Map((grave.length > 0 ? grave : findings).map((finding) => [finding.id, finding]));
    return [...once.values()];
  }
  if (!isScored || trust.score >= ASK_BELOW) return [];
  const identity = findingIdentity({ rule: LOW_TRUST, file: '.' }, { digest, line: '' });
  return [{ ...identity, line: null, severity: 'low', message: `trust score ${trust.score} of 100` }];
}
