// skc outdated: what the sources have now, beside what is installed.

import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readConfig } from '../../skill/config/index.ts';
import type { StoreScope } from '../../skill/places/index.ts';
import type { FetchedSource, Resolution, SkillSource } from './fetched-source.ts';
import { describeFiles, readSkillFiles } from './install-files.ts';
import { type FoundSkill, findInstalled } from './install-names.ts';
import type { InstallContext } from './install-place.ts';
import { lockedSource, newestOf, openSource, type SourceOptions } from './install-source.ts';
import { digestOf } from './lock.ts';
import { skillOf } from './restore-files.ts';
import { spellSource } from './spell-source.ts';

/** How one installed skill stands against its source. */
export interface OutdatedSkill {
  readonly name: string;
  readonly scope: StoreScope;
  readonly status: 'current' | 'outdated' | 'gone' | 'unreachable';
  readonly pinned: boolean;
  readonly source: string;
  /** A version, the start of a commit, or the start of a digest. */
  readonly current: string;
  /** What `update` would install, for a pinned skill what there is; null when the source does not say. */
  readonly wanted: string | null;
  /** The newest there is, whatever the lock asks for. */
  readonly latest: string | null;
  /** Why a source is unreachable. */
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
  const config = await readConfig(context);
  const options = { context, config, offline: request.offline };
  const found = await findInstalled({ ...request, everywhere: true }, context);
  const open = new Map<string, Promise<FetchedSource>>();
  const fetchOnce = (source: SkillSource): Promise<FetchedSource> => {
    const key = JSON.stringify(source);
    let fetching = open.get(key);
    if (fetching === undefined) {
      context.progress(`asking ${spellSource(source)}`);
      fetching = openSource(source, options);
      // Awaited later, or not at all.
      fetching.catch(() => {});
      open.set(key, fetching);
    }
    return fetching;
  };
  try {
    const result: OutdatedSkill[] = [];
    for (const skill of found) result.push(await compareWithSource(skill, { options, fetchOnce }));
    return result;
  } finally {
    for (const fetching of open.values())
      fetching.then(
        (fetched) => fetched.release(),
        () => {},
      );
  }
}

async function compareWithSource(
  { name, place, entry }: FoundSkill,
  work: { options: SourceOptions; fetchOnce: (source: SkillSource) => Promise<FetchedSource> },
): Promise<OutdatedSkill> {
  const { pinned, source } = entry;
  const current = shortName(entry.resolution, entry.digest);
  const row = { name, scope: place.scope, pinned, source, current, wanted: null, latest: null, error: null };
  try {
    const locked = lockedSource(entry, place, work.options);
    const wanted = stateIn(await work.fetchOnce(locked), name, entry);
    const newest = await latestOf(locked, work.fetchOnce, wanted, { name, entry });
    const status = wanted.digest === entry.digest ? 'current' : 'outdated';
    return { ...row, status, wanted: pinned ? current : wanted.label, latest: newest };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const isGone = error.code === 'E201' || error.code === 'E210';
    return { ...row, status: isGone ? 'gone' : 'unreachable', error: diagnosticOf(error) };
  }
}

interface SourceState {
  readonly digest: string;
  readonly label: string;
}

function stateIn(fetched: FetchedSource, name: string, entry: FoundSkill['entry']): SourceState {
  const skill = skillOf(fetched, name, entry);
  const digest = digestOf(describeFiles(readSkillFiles(skill.dir)).files);
  return { digest, label: shortName(skill.resolution ?? fetched.resolution, digest) };
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
