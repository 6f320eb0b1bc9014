// Whether an archive on the web is still the one that was downloaded, asked without downloading it.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { SkillSource } from '../source/fetched-source.ts';
import { labelLook, lookOfAnswer, readLook } from './archive-look.ts';
import type { SourceAnswer } from './ask-source.ts';
import { makeFetcher } from './download.ts';
import type { FetchContext } from './fetch-context.ts';

/** Asks for the head of the archive. Undefined where its server does not tell states apart, or nobody knows the last one. */
export async function askArchive(
  { location }: Extract<SkillSource, { kind: 'archive' }>,
  context: FetchContext,
): Promise<SourceAnswer | undefined> {
  const known = readLook(location, context.workspace);
  if (known === undefined) return undefined;
  let look: string | undefined;
  try {
    look = lookOfAnswer(await makeFetcher(context).head(location, { signal: context.signal }));
  } catch (error) {
    // Some servers refuse this and give the archive all the same: fetching it decides.
    if (!(error instanceof SkillwrightError)) throw error;
  }
  if (look === undefined) return undefined;
  if (look === known.look) return { wanted: { digest: known.digest }, latest: { digest: known.digest } };
  return { wanted: {}, latest: undefined, label: labelLook(look) };
}
