// Scan verdicts on installed content, by digest: a list shows them without scanning again.

import { join } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { readState, updateState, type Workspace } from '../../../skill/workspace/index.ts';

/** Limit of remembered verdicts: the oldest are dropped. */
const MAX_REMEMBERED = 5000;

const Verdict = z.enum(['clean', 'caution', 'danger']);
/** The result of a scan. */
export type RememberedVerdict = z.output<typeof Verdict>;

const fileOf = ({ user }: Pick<Workspace, 'user'>) => join(user.cache, 'verdicts.json');

/** The remembered verdicts, by digest. Empty when the file cannot be used. */
export function readVerdicts(
  workspace: Pick<Workspace, 'user'>,
): (digest: string) => RememberedVerdict | undefined {
  const known = tableOf(readState(fileOf(workspace)).state.verdicts);
  return (digest) => (Object.hasOwn(known, digest) ? Verdict.safeParse(known[digest]).data : undefined);
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
  if (news.length === 0) return;
  try {
    updateState(fileOf(workspace), (state) => {
      const verdicts = { ...tableOf(state.verdicts) };
      for (const [digest, verdict] of news) {
        delete verdicts[digest];
        verdicts[digest] = verdict;
      }
      return { ...state, verdicts: Object.fromEntries(Object.entries(verdicts).slice(-MAX_REMEMBERED)) };
    });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
  }
}

function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
