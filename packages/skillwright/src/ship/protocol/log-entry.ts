// Leaves of the transparency log. A leaf is the UTF-8 of canonical JSON; private skills appear as salted commitments.

import * as z from 'zod';
import { Address, Count, Digest, OwnerName, Time, Version } from './values.ts';

/** One leaf, before it is committed to. */
export const LogEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('version'),
    name: Address,
    version: Version,
    document: Digest.describe('Of the bytes of the version document'),
    archive: Digest,
  }),
  z.strictObject({
    kind: z.literal('state'),
    name: Address,
    version: Version,
    change: z.enum([
      'approved',
      'rejected',
      'yanked',
      'unyanked',
      'quarantined',
      'released',
      'purged',
      'overridden',
    ]),
    reason: z.string().nullable(),
    time: Time,
  }),
  z.strictObject({
    kind: z.literal('owner'),
    owner: OwnerName,
    change: z.enum(['created', 'member', 'transferred']),
    account: z.string(),
    roles: z.array(z.string()),
    time: Time,
  }),
  z.strictObject({
    kind: z.literal('origin'),
    previous: z.string().describe('Origin of the log before'),
    checkpoint: z.string().describe('Its last checkpoint, as a signed note'),
    kept: Count.describe('Leaves of that log that the registry still has; they follow as leaves of this one'),
    time: Time,
  }),
]);
export type LogEntry = z.output<typeof LogEntry>;

/** Everything the log says about a skill, oldest first. */
export const SkillLog = z.object({
  origin: z.string(),
  entries: z.array(
    z.object({
      index: z.number().int().nonnegative(),
      entry: LogEntry,
      salt: z.string().nullable().describe('Base64; null when the leaf is the entry itself'),
      subject: z.string().nullable().optional().describe('Of the leaf of a private version'),
    }),
  ),
});
