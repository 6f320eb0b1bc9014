// Scan verdicts on installed content, by digest: a list shows them without scanning again.

import * as z from 'zod';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { addToTable, type RememberedTable, readTable } from '../place/remembered-table.ts';

const Verdict = z.enum(['clean', 'caution', 'danger']);
/** The result of a scan. */
export type RememberedVerdict = z.output<typeof Verdict>;

const verdicts: RememberedTable = { file: 'verdicts.json', field: 'verdicts', max: 5000 };

/** The remembered verdicts, by digest. Empty when the file cannot be used. */
export function readVerdicts(
  workspace: Pick<Workspace, 'user'>,
): (digest: string) => RememberedVerdict | undefined {
  const known = readTable(verdicts, workspace);
  return (digest) => Verdict.safeParse(known(digest)).data;
}

/** Verdicts noted by this process and not yet written. */
const pending = new Map<string, RememberedVerdict>();

/** Notes the verdict on content that enters a place. */
export function noteVerdict({ digest, verdict }: { digest: string; verdict: RememberedVerdict }): void {
  pending.set(digest, verdict);
}

/** Writes the noted verdicts. A failed write is ignored. */
export function rememberVerdicts(workspace: Pick<Workspace, 'user'>): void {
  if (pending.size === 0) return;
  const known = readVerdicts(workspace);
  const news = [...pending].filter(([digest, verdict]) => known(digest) !== verdict);
  pending.clear();
  addToTable(verdicts, workspace, news);
}
