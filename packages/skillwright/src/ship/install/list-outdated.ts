// skc outdated: compares installed skills with the current state of their sources.

import { hideSecrets, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { OutdatedOutcome } from '../results/index.ts';
import type { SourceAnswer } from './fetch/fetch-source.ts';
import type { InstallContext } from './place/install-place.ts';
import { rememberNews } from './place/remembered.ts';
import { findInstalled, type Installed } from './plan/find-installed.ts';
import { skillOf } from './restore/gather-files.ts';
import { askRegistries, type RegistryAnswers } from './source/ask-registries.ts';
import type { FetchedSource, Resolution, SkillSource } from './source/fetched-source.ts';
import {
  askUnlessOffline,
  createOnce,
  createSourceCache,
  describeSource,
  fetchUnlessOffline,
  lockedSource,
  movedError,
  newestOf,
  type SourceOptions,
  spellSource,
} from './source/locked-source.ts';

type Outdated = OutdatedOutcome['skills'][number];

/** Asks every source once. One that does not answer is reported and does not hide the rest. */
export async function listOutdated(
  request: {
    readonly skills: readonly string[];
    readonly scope?: StoreScope | undefined;
    readonly offline: boolean;
  },
  context: InstallContext,
): Promise<OutdatedOutcome> {
  const config = await context.workspace.config();
  const options = { context, config, offline: request.offline };
  const found = await findInstalled({ ...request, everywhere: true }, context);
  const sources = createSourceCache();
  const registries = await askRegistries(found, options);
  const answers = createOnce<SourceAnswer | undefined>();
  const tell = (source: SkillSource) => context.progress(`asking ${hideSecrets(spellSource(source))}`);
  const work: Work = {
    options,
    registries,
    askOnce(source, name) {
      return answers.get([spellSource(source), source.kind === 'well-known' ? name : ''], () => {
        tell(source);
        return askUnlessOffline(source, name, options);
      });
    },
    fetchOnce: (source) =>
      sources.get(source, () => {
        tell(source);
        return fetchUnlessOffline(source, options);
      }),
  };
  try {
    const result: Outdated[] = [];
    for (const skill of found) result.push(await compareWithSource(skill, work));
    rememberNews(
      found.flatMap(({ name, place, entry }, index) => {
        const { status, wanted, latest, notices } = result[index]!;
        if (status === 'unreachable' || registries.has(found[index]!)) return [];
        const answer = { wanted: status === 'current' ? null : wanted, latest, notices };
        return [{ lock: place.store.lock, name, entry, answer }];
      }),
      context,
    );
    return { skills: result };
  } finally {
    sources.release();
  }
}

interface Work {
  readonly options: SourceOptions;
  /** The answers of registries. */
  readonly registries: RegistryAnswers;
  /** Asks a source for its current version, without fetching it. */
  askOnce(source: SkillSource, name: string): Promise<SourceAnswer | undefined>;
  fetchOnce(source: SkillSource): Promise<FetchedSource>;
}

async function compareWithSource(skill: Installed, work: Work): Promise<Outdated> {
  const { name, place, entry } = skill;
  const { pinned } = entry;
  const current = shortName(entry.resolution, entry.digest);
  const row = {
    ...{ name, scope: place.scope, pinned, ...describeSource(entry.source), current, notices: [] },
    ...{ wanted: null, latest: null, error: null, checked_at: null },
  };
  try {
    const heard = work.registries.get(skill);
    if (heard instanceof SkillwrightError) throw heard;
    if (heard !== undefined) {
      const { wanted, latest, notices: said, checked_at } = heard;
      const status = wanted === null ? 'current' : 'outdated';
      return {
        ...row,
        ...{ status, latest, checked_at, notices: [...said] },
        wanted: pinned ? current : (wanted ?? current),
      };
    }
    const locked = await lockedSource(name, entry, { place, options: work.options });
    const answer = await work.askOnce(locked, name);
    const notices = [...(answer?.noticesOf?.(entry.resolution.version) ?? [])];
    const { wanted, latest } =
      (answer && stateFrom(answer, entry)) ?? (await fetchState(locked, { name, entry }, work));
    const moved = movedError(entry, {
      after: wanted.resolution,
      command: `skc update ${name} --scope ${place.scope}`,
    });
    const error = moved === undefined ? null : tell(moved);
    const status = moved !== undefined ? 'moved' : wanted.isSame ? 'current' : 'outdated';
    return { ...row, status, error, wanted: pinned ? current : wanted.label, latest, notices };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const isGone = error.code === 'E201' || error.code === 'E210';
    return { ...row, status: isGone ? 'gone' : 'unreachable', error: tell(error) };
  }
}

const tell = ({ code, message }: SkillwrightError) => ({ code, message });

interface SourceState {
  readonly resolution: Resolution;
  /** Whether it is the installed version. */
  readonly isSame: boolean;
  readonly label: string;
}

interface Standing {
  readonly wanted: SourceState;
  readonly latest: string | null;
}

/**
 * The status of a skill from the source's answer. Undefined when that is not conclusive: another commit of a repository
 * may have the same skill.
 */
function stateFrom({ wanted, latest }: SourceAnswer, entry: Installed['entry']): Standing | undefined {
  const { commit, version, digest } = entry.resolution;
  const isSame =
    wanted.commit !== undefined
      ? wanted.commit === commit
      : wanted.version !== undefined
        ? wanted.version === version
        : wanted.digest === digest;
  if (!isSame && (wanted.commit !== undefined || (version ?? digest) === undefined)) return undefined;
  // The digest of a download is not the one of the files: what is installed has one label.
  const known = isSame ? shortName(entry.resolution, entry.digest) : labelOf(wanted);
  const newest = latest === undefined ? null : labelOf(latest);
  return {
    wanted: { resolution: wanted, isSame, label: known },
    latest: newest === labelOf(wanted) ? known : newest,
  };
}

/** The status from the fetched source. */
async function fetchState(
  locked: SkillSource,
  { name, entry }: { name: string; entry: Installed['entry'] },
  { fetchOnce, askOnce }: Work,
): Promise<Standing> {
  const skill = skillOf(await fetchOnce(locked), name, entry);
  const { digest } = skill.content;
  const resolution = skill.resolution ?? (await fetchOnce(locked)).resolution;
  const label = shortName(resolution, digest);
  const wanted = { resolution, isSame: digest === entry.digest, label };
  const newest = newestOf(locked);
  if (spellSource(newest) === spellSource(locked)) return { wanted, latest: label };
  const latest = (await askOnce(newest, name))?.latest;
  return { wanted, latest: latest === undefined ? null : labelOf(latest) };
}

/** A version if there is one, else the start of the commit, else of the content's digest. */
function shortName(resolution: Resolution, digest: string): string {
  const { version, commit } = resolution;
  return labelOf(version === undefined && commit === undefined ? { digest } : resolution);
}

function labelOf({ version, commit, digest }: Resolution): string {
  return version ?? commit?.slice(0, 12) ?? (digest ?? '').slice(7, 19);
}
