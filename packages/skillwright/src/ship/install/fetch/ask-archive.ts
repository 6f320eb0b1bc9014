// Asks whether an archive on the web has changed, without downloading it.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { SkillSource } from '../source/fetched-source.ts';
import { labelLook, lookOfAnswer, readLook } from './archive-look.ts';
import type { SourceAnswer } from './ask-source.ts';
import { makeFetcher } from './download.ts';
import type { FetchContext } from './fetch-context.ts';

/** Sends a HEAD request. Undefined when the server reports no state, or no earlier state is known. */
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
    // Some servers refuse HEAD but serve the archive: fetching it decides.
    if (!(error instanceof SkillwrightError)) throw error;
  }
  if (look === undefined) return undefined;
  if (look === known.look) return { wanted: { digest: known.digest }, latest: { digest: known.digest } };
  return { wanted: {}, latest: undefined, label: labelLook(look) };
}
