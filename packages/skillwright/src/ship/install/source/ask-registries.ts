// Asks registries about installed skills: one request per registry and hundred skills. Where a registry cannot be asked,
// its last answer counts, and a warning says so.

import { type Diagnostic, diagnose, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
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
import type { SourceAnswer } from '../fetch/ask-source.ts';
import { makeFetcher } from '../fetch/download.ts';
import { readNews, rememberNews, type SourceNews } from '../place/remembered.ts';
import type { Installed } from '../plan/find-installed.ts';
import type { FetchContext, SkillSource, SourceNotice } from './fetched-source.ts';
import { fetchContextOf, lockedSource, type SourceOptions } from './locked-source.ts';

/** A registry's answer about one installed skill: from now, from the last time it was asked, or the reason for none. */
export type RegistryAnswer =
  | { readonly kind: 'now'; readonly answer: SourceAnswer }
  | { readonly kind: 'last'; readonly news: SourceNews }
  | { readonly kind: 'failed'; readonly error: SkillwrightError };

/** The answers; undefined for a skill that is not from a registry. */
export interface RegistryAnswers {
  of(skill: Installed): RegistryAnswer | undefined;
}

type Asked = InstalledVersion & { readonly skill: Installed };

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
      answers.set(skill, failed(error));
    }
  }
  for (const [url = '', skills] of Map.groupBy(asked, ({ source }) => source.url))
    for (const [skill, answer] of await askOne(url, skills, options)) answers.set(skill, answer);
  rememberAnswers(answers, options);
  return { of: (skill) => answers.get(skill) };
}

/** Codes of a log that is not the one that was seen. */
const WRONG_LOG: ReadonlySet<string> = new Set(['E230', 'E231', 'E232', 'E233', 'E242']);

async function askOne(
  url: string,
  asked: readonly Asked[],
  options: SourceOptions,
): Promise<[Installed, RegistryAnswer][]> {
  const { context, offline } = options;
  try {
    if (offline) throw SkillwrightError.of('E217', { what: url });
    context.progress(`asking ${url}`);
    const { states, remarks } = await askStates(asked as [Asked, ...Asked[]], fetchContextOf(options));
    for (const remark of remarks) context.report(remark);
    const isBehind = remarks.length > 0;
    return asked.map((one, index) => [
      one.skill,
      standing(() => registryAnswer(one, { state: states[index]!, isBehind })),
    ]);
  } catch (error) {
    const failure = failed(error);
    // A log that contradicts an earlier view is not a registry that stays silent: the last answer does not stand in for it.
    if (WRONG_LOG.has(failure.error.code)) return asked.map(({ skill }) => [skill, failure]);
    const news = readNews(context.workspace);
    const last = asked.map(({ skill: { place, name, entry } }) =>
      news.of({ lock: place.store.lock, name, entry }),
    );
    const times = last.flatMap((one) => (one === undefined ? [] : [one.checked_at])).sort();
    context.report(
      diagnose('W238', {
        registry: url,
        why: offline ? 'offline' : failure.error.message,
        last: times.length === 0 ? 'it has not answered before' : `its answer of ${times.at(-1)} is shown`,
      }),
    );
    return asked.map(({ skill }, index) => {
      const known = last[index];
      return [skill, known === undefined ? failure : { kind: 'last', news: known }];
    });
  }
}

function standing(read: () => SourceAnswer): RegistryAnswer {
  try {
    return { kind: 'now', answer: read() };
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Extract<RegistryAnswer, { kind: 'failed' }> {
  if (error instanceof SkillwrightError) return { kind: 'failed', error };
  throw error;
}

function rememberAnswers(answers: ReadonlyMap<Installed, RegistryAnswer>, { context }: SourceOptions): void {
  rememberNews(
    [...answers].flatMap(([{ name, place, entry }, heard]) => {
      if (heard.kind !== 'now') return [];
      const { wanted, latest, noticesOf } = heard.answer;
      const isSame = wanted.version === entry.resolution.version;
      return [
        {
          lock: place.store.lock,
          name,
          entry,
          wanted: isSame ? null : (wanted.version ?? null),
          latest: latest?.version ?? null,
          notices: noticesOf?.(entry.resolution.version) ?? [],
        },
      ];
    }),
    context,
  );
}

/** The warnings about a locked skill. */
export type NoticesOf = (skill: Installed) => readonly SourceNotice[];

/** The remembered warnings; nobody is asked. */
export function rememberedNotices(workspace: Pick<Workspace, 'user'>): NoticesOf {
  const news = readNews(workspace);
  return ({ name, place, entry }) => news.of({ lock: place.store.lock, name, entry })?.notices ?? [];
}

/** Asks the registries of some skills, unless offline. Where there is no answer, the last one counts. */
export async function hearNotices(skills: readonly Installed[], options: SourceOptions): Promise<NoticesOf> {
  const { context, offline } = options;
  const heard = new Map<string, readonly SourceNotice[]>();
  const keyOf = ({ name, entry }: Installed) => `${name} ${entry.digest}`;
  // Asks no person: a registry that the user has not confirmed is not asked either.
  const answers = offline
    ? undefined
    : await askRegistries(skills, { ...options, context: { ...context, ask: undefined } });
  for (const skill of answers === undefined ? [] : skills) {
    const answer = answers?.of(skill);
    if (answer?.kind === 'now')
      heard.set(keyOf(skill), answer.answer.noticesOf?.(skill.entry.resolution.version) ?? []);
  }
  const remembered = rememberedNotices(context.workspace);
  return (skill) => heard.get(keyOf(skill)) ?? remembered(skill);
}

/** E236 or E237 for a locked skill that its registry withholds now. */
export function withheldSkill(
  { name, entry }: Pick<Installed, 'name' | 'entry'>,
  notices: readonly SourceNotice[],
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

/** An installed version of a skill of a registry. */
interface InstalledVersion {
  readonly source: RegistrySource;
  readonly version: string;
}

/**
 * Asks one registry for the states of installed versions, in their order, with remarks about its log. All
 * have the same registry.
 */
async function askStates(
  installed: readonly [InstalledVersion, ...InstalledVersion[]],
  context: FetchContext,
): Promise<{ readonly states: VersionState[]; readonly remarks: Diagnostic[] }> {
  const registry = await openSourceRegistry(installed[0].source, context);
  const states = await registry.client.states(
    installed.map(({ source, version }) => ({ name: spellAddress(source), version })),
    { signal: context.signal },
  );
  // A version that is gone may be hidden from us, or its registry went back.
  const isComplete = states.every(({ known }) => known);
  return { states, remarks: isComplete ? [] : await checkNewest(registry, context) };
}

/** A state as an answer for `skc outdated`. E201 when the registry does not know the version, E241 when it did before. */
function registryAnswer(
  { source, version }: InstalledVersion,
  { state, isBehind }: { readonly state: VersionState; readonly isBehind: boolean },
): SourceAnswer {
  const { range } = source;
  if (!state.known && isBehind)
    throw SkillwrightError.of('E241', { skill: state.name, why: `it no longer knows version ${version}` });
  if (!state.known) throw SkillwrightError.of('E201', { what: `${state.name}@${version}` });
  // An exact version stays wanted, and so does one without a successor, whatever its state: the notices tell it.
  const wanted =
    range === version ? version : (matchVersion(state.versions, { range, latest: state.latest }) ?? version);
  return {
    wanted: { version: wanted },
    latest: state.latest === null ? undefined : { version: state.latest },
    noticesOf: () => stateNotices(state),
  };
}
