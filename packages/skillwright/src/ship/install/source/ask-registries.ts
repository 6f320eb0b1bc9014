// Asks registries about installed skills: one request per registry and hundred skills. Where a registry cannot be asked,
// its last answer counts, and a warning says so.

import { diagnose, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import {
  checkNewest,
  connectRegistry,
  matchVersion,
  type OpenRegistry,
  registryAt,
  stateNotices,
  withheldByNotices,
} from '../../network/index.ts';
import { spellAddress, type VersionState } from '../../protocol/index.ts';
import type { Notice } from '../../results/index.ts';
import { makeFetcher } from '../fetch/fetch-archive.ts';
import { readNews, rememberNews, type SourceNews } from '../place/remembered.ts';
import type { Installed } from '../plan/find-installed.ts';
import type { FetchContext, SkillSource } from './fetched-source.ts';
import { fetchContextOf, lockedSource, type SourceOptions } from './locked-source.ts';

/** A registry's statement about an installed skill: from now, or from the last time it was asked. */
interface RegistryNews extends Pick<SourceNews, 'wanted' | 'latest' | 'notices'> {
  /** Null when it was asked now. */
  readonly checked_at: string | null;
}

/** A registry's news of a skill, or the reason for none. */
type RegistryAnswer = RegistryNews | SkillwrightError;

/** The answers; a skill that is not from a registry has none. */
export type RegistryAnswers = ReadonlyMap<Installed, RegistryAnswer>;

/** An installed version of a skill of a registry. */
interface Asked {
  readonly skill: Installed;
  readonly source: RegistrySource;
  readonly version: string;
}

/** Asks for the states of all installed skills that come from registries, and remembers them. W238 for one not asked. */
export async function askRegistries(
  found: readonly Installed[],
  options: SourceOptions,
): Promise<RegistryAnswers> {
  const answers = new Map<Installed, RegistryAnswer>();
  const asked: Asked[] = [];
  for (const skill of found) {
    const { version } = skill.entry.resolution;
    if (!skill.entry.source.startsWith('registry+') || version === undefined) continue;
    try {
      const source = await lockedSource(skill.name, skill.entry, { place: skill.place, options });
      if (source.kind === 'registry') asked.push({ skill, source, version });
    } catch (error) {
      answers.set(skill, codedError(error));
    }
  }
  for (const [url = '', skills] of Map.groupBy(asked, ({ source }) => source.url))
    for (const [skill, answer] of await askOne(url, skills, options)) answers.set(skill, answer);
  rememberNews(
    [...answers].flatMap(([{ name, place, entry }, news]) =>
      news instanceof SkillwrightError || news.checked_at !== null
        ? []
        : [{ lock: place.store.lock, name, entry, answer: news }],
    ),
    options.context,
  );
  return answers;
}

/** Codes of a log that is not the one that was seen. */
const WRONG_LOG: ReadonlySet<string> = new Set(['E230', 'E231', 'E232', 'E233', 'E242']);

/** Asks one registry about the versions of skills. */
async function askOne(
  url: string,
  asked: readonly Asked[],
  options: SourceOptions,
): Promise<(readonly [Installed, RegistryAnswer])[]> {
  const { context, offline } = options;
  try {
    if (offline) throw SkillwrightError.of('E217', { what: url });
    context.progress(`asking ${url}`);
    const fetching = fetchContextOf(options);
    const registry = await openSourceRegistry(asked[0]!.source, fetching);
    const states = await registry.client.states(
      asked.map(({ source, version }) => ({ name: spellAddress(source), version })),
      { signal: fetching.signal },
    );
    // A version that is gone may be hidden from us, or its registry went back.
    const isComplete = states.every(({ known }) => known);
    const remarks = isComplete ? [] : await checkNewest(registry, fetching);
    for (const remark of remarks) context.report(remark);
    const isBehind = remarks.length > 0;
    return asked.map((one, index) => [one.skill, answerOf(one, { state: states[index]!, isBehind })]);
  } catch (error) {
    const failure = codedError(error);
    // A log that contradicts an earlier view is not a registry that stays silent: the last answer does not stand in for it.
    if (WRONG_LOG.has(failure.code)) return asked.map(({ skill }) => [skill, failure]);
    const news = readNews(context.workspace);
    const last = asked.map(({ skill: { place, name, entry } }) =>
      news.of({ lock: place.store.lock, name, entry }),
    );
    const times = last.flatMap((one) => (one === undefined ? [] : [one.checked_at])).sort();
    context.report(
      diagnose('W238', {
        registry: url,
        why: offline ? 'offline' : failure.message,
        last: times.length === 0 ? 'it has not answered before' : `its answer of ${times.at(-1)} is shown`,
      }),
    );
    return asked.map(({ skill }, index) => [skill, last[index] ?? failure]);
  }
}

function codedError(error: unknown): SkillwrightError {
  if (error instanceof SkillwrightError) return error;
  throw error;
}

/** A state as news. E201 when the registry does not know the version, E241 when it did before. */
function answerOf(
  { source: { range }, version }: Asked,
  { state, isBehind }: { readonly state: VersionState; readonly isBehind: boolean },
): RegistryAnswer {
  if (!state.known)
    return isBehind
      ? SkillwrightError.of('E241', { skill: state.name, why: `it no longer knows version ${version}` })
      : SkillwrightError.of('E201', { what: `${state.name}@${version}` });
  const { versions, latest } = state;
  // An exact version stays wanted, and so does one without a successor, whatever its state: the notices tell it.
  const found = range === version ? version : (matchVersion(versions, { range, latest }) ?? version);
  const wanted = found === version ? null : found;
  return { wanted, latest, notices: [...stateNotices(state)], checked_at: null };
}

/** The warnings about a locked skill. */
export type NoticesOf = (skill: Installed) => readonly Notice[];

/** The remembered warnings; nobody is asked. */
export function rememberedNotices(workspace: Pick<Workspace, 'user'>): NoticesOf {
  const news = readNews(workspace);
  return ({ name, place, entry }) => news.of({ lock: place.store.lock, name, entry })?.notices ?? [];
}

/** Asks the registries of some skills, unless offline. Where there is no answer, the last one counts. */
export async function hearNotices(skills: readonly Installed[], options: SourceOptions): Promise<NoticesOf> {
  const { context, offline } = options;
  const heard = new Map<string, readonly Notice[]>();
  const keyOf = ({ name, entry }: Installed) => `${name} ${entry.digest}`;
  // Asks no person: a registry that the user has not confirmed is not asked either.
  const answers = offline
    ? undefined
    : await askRegistries(skills, { ...options, context: { ...context, ask: undefined } });
  for (const skill of answers === undefined ? [] : skills) {
    const answer = answers?.get(skill);
    if (answer !== undefined && !(answer instanceof SkillwrightError) && answer.checked_at === null)
      heard.set(keyOf(skill), answer.notices);
  }
  const remembered = rememberedNotices(context.workspace);
  return (skill) => heard.get(keyOf(skill)) ?? remembered(skill);
}

/** E236 or E237 for a locked skill that its registry withholds now. */
export function withheldSkill(
  { name, entry }: Pick<Installed, 'name' | 'entry'>,
  notices: readonly Notice[],
): SkillwrightError | undefined {
  const { version } = entry.resolution;
  const what = version === undefined ? name : `${name}@${version}`;
  const help = `'skc update ${name}' looks for another version, and 'skc uninstall ${name}' removes it`;
  return withheldByNotices(makeVisible(what), notices)?.withHelp(help);
}

/** A skill of a registry. */
export type RegistrySource = Extract<SkillSource, { kind: 'registry' }>;

/** The registry of a source. E210 without one. */
export async function openSourceRegistry(
  source: RegistrySource,
  context: FetchContext,
): Promise<OpenRegistry> {
  const { url, owner } = source;
  if (url === undefined)
    throw SkillwrightError.of(
      'E210',
      { source: spellAddress(source), why: 'no registry is configured' },
      {
        help: "set one with 'skc config registry.url https://… --scope user', or name a path, a git URL, owner/repo, npm:<package> or a domain",
      },
    );
  const chosen = await registryAt({ url, owner }, context.workspace);
  return connectRegistry(chosen, context.workspace, { fetcher: makeFetcher(context) });
}
