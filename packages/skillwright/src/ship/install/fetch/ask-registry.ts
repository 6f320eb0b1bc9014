// Asks registries about installed skills without downloading one: one request for up to a hundred of them.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  connectRegistry,
  matchVersion,
  type OpenRegistry,
  registryAt,
  stateNotices,
} from '../../network/index.ts';
import { spellAddress, type VersionState } from '../../protocol/index.ts';
import type { SkillSource } from '../source/fetched-source.ts';
import type { SourceAnswer } from './ask-source.ts';
import { makeFetcher } from './download.ts';
import type { FetchContext } from './fetch-context.ts';

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
      { help: 'set registry.url, or name a path, a git URL, owner/repo, npm:<package> or a domain' },
    );
  const chosen = await registryAt({ url, owner }, context.workspace);
  return connectRegistry(chosen, context.workspace, { fetcher: makeFetcher(context) });
}

/** An installed version of a skill of a registry. */
export interface InstalledVersion {
  readonly source: RegistrySource;
  readonly version: string;
}

/** Asks one registry for the states of installed versions, in their order. All have the same registry. */
export async function askStates(
  installed: readonly [InstalledVersion, ...InstalledVersion[]],
  context: FetchContext,
): Promise<VersionState[]> {
  const { client } = await openSourceRegistry(installed[0].source, context);
  return client.states(
    installed.map(({ source, version }) => ({ name: spellAddress(source), version })),
    { signal: context.signal },
  );
}

/** A state as an answer for `skc outdated`. E201 when the registry does not know the version. */
export function answerOf({ source, version }: InstalledVersion, state: VersionState): SourceAnswer {
  const { range } = source;
  if (!state.known) throw SkillwrightError.of('E201', { what: `${state.name}@${version}` });
  // An exact version in the lock stays wanted, whatever its state: the notices tell it.
  const wanted = range === version ? version : matchVersion(state.versions, { range, latest: state.latest });
  if (wanted === null) throw SkillwrightError.of('E201', { what: `${state.name}@${range ?? 'latest'}` });
  return {
    wanted: { version: wanted },
    latest: state.latest === null ? undefined : { version: state.latest },
    noticesOf: () => stateNotices(state),
  };
}
