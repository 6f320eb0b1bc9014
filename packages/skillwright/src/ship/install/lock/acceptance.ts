// An accepted finding in the lock: the finding, its file, the person and the reason.

import * as z from 'zod';
import { makeVisible } from '../../../base/diagnostics/index.ts';
import type { FindingIdentity } from '../../../guard/scan/index.ts';

/** One accepted finding. It is valid for exactly this content of the file. */
export const Acceptance = z.strictObject({
  /** The id of the finding. */
  finding: z.string().regex(/^[0-9a-f]{12}$/, { error: 'is not a finding id' }),
  rule: z.string().min(1).max(64),
  file: z.string().min(1).max(1024),
  /** Digest of the file with the finding. */
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, { error: 'must be sha256: and 64 hexadecimal digits' }),
  by: z.string().min(1).max(200),
  reason: z.string().min(1).max(1000),
  at: z.iso.datetime(),
});
export type Acceptance = z.output<typeof Acceptance>;

/** Whether an acceptance covers this finding in this content. */
export function isAbout(
  { finding, rule, file, digest }: Pick<Acceptance, 'finding' | 'rule' | 'file' | 'digest'>,
  identity: FindingIdentity,
): boolean {
  return (
    finding === identity.id && rule === identity.rule && file === identity.file && digest === identity.digest
  );
}

/** An acceptance on one line. All of it is untrusted text. */
export function describeAcceptance({ rule, file, by, reason, finding }: Acceptance, skill: string): string {
  return makeVisible(
    `  ${skill}: ${rule} in ${oneLine(file)} [${finding}], accepted by ${oneLine(by)}: ${oneLine(reason)}`,
  );
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
