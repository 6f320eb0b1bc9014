// skc outdated: what the sources have now, beside what is installed.

import {
  type Diagnostic,
  diagnosticOf,
  hideSecrets,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { InstallContext } from './place/install-place.ts';
import { describeFiles, readSkillFiles } from './place/stored-files.ts';
import { type FoundSkill, findInstalled } from './plan/find-installed.ts';
import { skillOf } from './restore/gather-files.ts';
import { movedError } from './source/check-moved.ts';
import type { FetchedSource, Resolution, SkillSource } from './source/fetched-source.ts';
import { fetchUnlessOffline, lockedSource, newestOf, type SourceOptions } from './source/locked-source.ts';
import { createSourceCache } from './source/source-cache.ts';
import { spellSource } from './source/spell-source.ts';

/** How one installed skill stands against its source. */
export interface OutdatedSkill {
  readonly name: string;
  readonly scope: StoreScope;
  readonly status:
    | 'current'
    | 'outdated'
    | /** A tag or version stands for something else by now. */ 'moved'
    | 'gone'
    | 'unreachable';
  readonly pinned: boolean;
  readonly source: string;
  /** A version, the start of a commit, or the start of a digest. */
  readonly current: string;
  /** What `update` would install, for a pinned skill what there is; null when the source does not say. */
  readonly wanted: string | null;
  /** The newest there is, whatever the lock asks for. */
  readonly latest: string | null;
  /** Why a source is unreachable, or what was moved. */
  readonly error: Diagnostic | null;
}

/** Asks every source once. A source that does not answer is told, and hides no other. */
export async function listOutdated(
  request: {
    readonly skills: readonly string[];
    readonly scope?: StoreScope | undefined;
    readonly offline: boolean;
  },
  context: InstallContext,
): Promise<OutdatedSkill[]> {
  const config = await context.workspace.config();
  const options = { context, config, offline: request.offline };
  const found = await findInstalled({ ...request, everywhere: true }, context);
  const sources = createSourceCache();
  const fetchOnce = (source: SkillSource): Promise<FetchedSource> =>
    sources.get(source, () => {
      context.progress(`asking ${hideSecrets(spellSource(source))}`);
      return fetchUnlessOffline(source, options);
    });
  try {
    const result: OutdatedSkill[] = [];
    for (const skill of found) result.push(await compareWithSource(skill, { options, fetchOnce }));
    return result;
  } finally {
    sources.release();
  }
}

async function compareWithSource(
  { name, place, entry }: FoundSkill,
  work: { options: SourceOptions; fetchOnce: (source: SkillSource) => Promise<FetchedSource> },
): Promise<OutdatedSkill> {
  const { pinned } = entry;
  const source = hideSecrets(entry.source);
  const current = shortName(entry.resolution, entry.digest);
  const row = { name, scope: place.scope, pinned, source, current, wanted: null, latest: null, error: null };
  try {
    const locked = await lockedSource(name, entry, { place, options: work.options });
    const wanted = stateIn(await work.fetchOnce(locked), name, entry);
    const newest = await latestOf(locked, work.fetchOnce, wanted, { name, entry });
    const moved = movedError(entry, wanted.resolution);
    const error = moved === undefined ? null : diagnosticOf(moved);
    const status = moved !== undefined ? 'moved' : wanted.digest === entry.digest ? 'current' : 'outdated';
    return { ...row, status, error, wanted: pinned ? current : wanted.label, latest: newest };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const isGone = error.code === 'E201' || error.code === 'E210';
    return { ...row, status: isGone ? 'gone' : 'unreachable', error: diagnosticOf(error) };
  }
}

interface SourceState {
  readonly digest: string;
  readonly resolution: Resolution;
  readonly label: string;
}

function stateIn(fetched: FetchedSource, name: string, entry: FoundSkill['entry']): SourceState {
  const skill = skillOf(fetched, name, entry);
  const { digest } = describeFiles(readSkillFiles(skill.dir));
  const resolution = skill.resolution ?? fetched.resolution;
  return { digest, resolution, label: shortName(resolution, digest) };
}

async function latestOf(
  locked: SkillSource,
  fetchOnce: (source: SkillSource) => Promise<FetchedSource>,
  wanted: SourceState,
  { name, entry }: { name: string; entry: FoundSkill['entry'] },
): Promise<string | null> {
  const newest = newestOf(locked);
  if (spellSource(newest) === spellSource(locked)) return wanted.label;
  try {
    return stateIn(await fetchOnce(newest), name, entry).label;
  } catch (error) {
    if (error instanceof SkillwrightError) return null;
    throw error;
  }
}

/** A version where there is one, else the start of the commit, else of the content's digest. */
function shortName({ version, commit }: Resolution, digest: string): string {
  return version ?? commit?.slice(0, 12) ?? digest.slice(7, 19);
}
