// Asks a registry for the versions of a skill without downloading one: the registry counts downloads.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  chooseVersion,
  createRegistryClient,
  type RegistryClient,
  registryNotices,
  registryToken,
} from '../../network/index.ts';
import type { SkillSource } from '../source/fetched-source.ts';
import type { SourceAnswer } from './ask-source.ts';
import { makeFetcher } from './download.ts';
import type { FetchContext } from './fetch-context.ts';

type RegistrySource = Extract<SkillSource, { kind: 'registry' }>;

/** The client for a source. E210 without a registry. */
export async function openClient(
  { name, url }: RegistrySource,
  context: FetchContext,
): Promise<RegistryClient> {
  if (url === undefined)
    throw SkillwrightError.of(
      'E210',
      { source: name, why: 'no registry is configured' },
      { help: 'set registry.url, or name a path, a git URL, owner/repo, npm:<package> or a domain' },
    );
  const { token } = await registryToken(url, context.workspace);
  return createRegistryClient({ url, fetcher: makeFetcher(context), token });
}

/** Asks for the versions of a skill. E201 when none matches. */
export async function askRegistry(source: RegistrySource, context: FetchContext): Promise<SourceAnswer> {
  const client = await openClient(source, context);
  const skill = await client.skill(source.name, { signal: context.signal });
  const { version, dist } = chooseVersion(skill, source.range);
  return {
    wanted: { version, digest: dist.digest },
    latest: skill.latest === null ? undefined : { version: skill.latest },
    noticesOf: (installed) => registryNotices(skill, installed),
  };
}
