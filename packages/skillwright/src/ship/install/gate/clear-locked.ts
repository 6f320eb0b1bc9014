// Sends the content of a locked skill through the gate: it is scanned like new content, wherever its files come from.

import { join } from 'node:path';
import type { LockedSkill } from '../lock/lock.ts';
import type { InstallPlace } from '../place/install-place.ts';
import { readSkillFiles, type SkillFiles } from '../place/stored-files.ts';
import { reviewFiles } from '../plan/preview.ts';
import { withheldSkill } from '../source/ask-registries.ts';
import type { FetchedSource, SourceNotice } from '../source/fetched-source.ts';
import type { ClearedContent, Gate } from './gate.ts';

/** Origin of the content. */
interface LockedContent {
  /** Warnings of its registry: a version that is withheld now does not come back from the cache either. */
  readonly notices: readonly SourceNotice[];
  /** Files to clear; without them, those in the store. */
  readonly files?: SkillFiles | undefined;
  /** The source, if it was fetched. */
  readonly fetched?: FetchedSource | undefined;
}

/** Clears the content of a locked skill. E208, E213 and E219 as for the gate, E236 and E237 when its registry withholds it. */
export async function clearLocked(
  name: string,
  entry: LockedSkill,
  { gate, place, files: given, fetched, notices }: LockedContent & { gate: Gate; place: InstallPlace },
): Promise<ClearedContent> {
  const withheld = withheldSkill({ name, entry }, notices);
  if (withheld !== undefined) throw withheld;
  const files = given ?? readSkillFiles(join(place.store.skills, name));
  const candidate = {
    name,
    review: await reviewFiles(name, files, fetched ?? { verified: true }),
    files: () => files,
    accepted: entry.accepted,
    isScored: fetched !== undefined,
  };
  const cleared = await gate.clear([candidate], { place, command: `skc install --scope ${place.scope}` });
  return cleared.get(name)!;
}
