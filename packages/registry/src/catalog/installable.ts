// The one answer to "can this version be installed?", derived from all its states.

import type { Installable, InstallReason } from 'skillwright/registry-protocol';

/** The states of a version. */
export interface VersionStates {
  readonly review: 'approved' | 'pending' | 'rejected';
  readonly review_reason: string | null;
  readonly verdict: string;
  /** Whether a reviewer decided that a dangerous verdict is wrong or acceptable. */
  readonly overridden: boolean;
  readonly yanked: string | null;
  readonly quarantined: string | null;
  readonly purged: string | null;
  readonly eligible_at: Date;
}

/** Whether and how a version can be installed at this moment, with every reason against it. */
export function installableOf(version: VersionStates, now: Date): Installable {
  const refused: InstallReason[] = [];
  if (version.purged !== null) refused.push({ code: 'purged', message: version.purged });
  if (version.quarantined !== null) refused.push({ code: 'quarantined', message: version.quarantined });
  if (version.review === 'pending')
    refused.push({ code: 'pending', message: 'a reviewer has to approve it first' });
  if (version.review === 'rejected')
    refused.push({ code: 'rejected', message: version.review_reason ?? 'a reviewer rejected it' });
  if (version.verdict === 'danger' && !version.overridden)
    refused.push({
      code: 'scan',
      message: 'the scan calls it dangerous, and no reviewer has overridden that',
    });
  const named: InstallReason[] = [];
  if (version.yanked !== null) named.push({ code: 'yanked', message: version.yanked });
  if (version.eligible_at > now)
    named.push({
      code: 'too-young',
      message: `install it by its exact version until ${version.eligible_at.toISOString()}`,
    });
  const answer = refused.length > 0 ? 'no' : named.length > 0 ? 'exact' : 'yes';
  return { answer, reasons: [...refused, ...named] };
}
