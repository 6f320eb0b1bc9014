// Facts about a skill that list and info share.

import * as z from 'zod';
import type { InstallFacts } from '../../ship/install/index.ts';
import { NoticeOutput, OriginOutput } from './install-output.ts';

/** How a skill was installed. */
export const InstallOutput = z.object({
  source: z.string(),
  origin: OriginOutput,
  path: z.string().describe('Where it is inside the source'),
  version: z.string().nullable(),
  commit: z.string().nullable(),
  digest: z.string(),
  pinned: z.boolean(),
  installed_at: z.string(),
  agents: z.array(z.object({ agent: z.string(), method: z.enum(['link', 'copy']) })),
  edits: z.array(z.string()).describe('Files with edits that an update kept'),
  verdict: z
    .enum(['clean', 'caution', 'danger'])
    .nullable()
    .describe('Scan verdict at the time of installation'),
  update: z
    .object({ wanted: z.string(), latest: z.string().nullable(), checked_at: z.string() })
    .nullable()
    .describe("Result of the last 'skc outdated'"),
  notices: z.array(NoticeOutput).describe('Warnings from its registry'),
  checked_at: z.string().nullable().describe('When its source said so; null when it was never asked'),
});

/** Facts for output. */
export function installOutput(facts: InstallFacts): z.output<typeof InstallOutput> {
  return {
    ...facts,
    origin: facts.origin && { ...facts.origin },
    agents: facts.agents.map(({ agent, method }) => ({ agent, method })),
    edits: [...facts.edits],
    notices: facts.notices.map(({ kind, text }) => ({ kind, text })),
  };
}

/** The version, or the start of the commit or digest. */
export function versionLabel({ version, commit, digest }: z.output<typeof InstallOutput>): string {
  return version ?? commit?.slice(0, 12) ?? digest.slice(7, 19);
}
