// One skill of the registry.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { discardTemporary } from '../../base/files/index.ts';
import { createRegistryClient, isUsersRegistry, registryToken } from '../network/index.ts';
import type { FetchContext } from './fetch-context.ts';
import { checkPinned, downloadOptions, makeFetcher, unpack } from './fetch-download.ts';
import { stageSkills, withStaging } from './fetch-staging.ts';
import type { FetchedSource, Resolution, SkillSource } from './fetched-source.ts';

/**
 * Fetches a skill of the configured registry, the digest the registry promises checked. E210 without a registry, E201
 * when no version fits, E204 when the version is something else than it was, E215 when the archive holds another skill.
 */
export function fetchRegistry(
  source: Extract<SkillSource, { kind: 'registry' }>,
  context: FetchContext,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const { url } = context.config.registry;
  const { name, range } = source;
  if (url === undefined)
    throw SkillwrightError.of(
      'E210',
      { source: name, why: 'no registry is configured' },
      { help: 'set registry.url, or name a path, a git URL, owner/repo, npm:<package> or a domain' },
    );
  return withStaging(context, async (staging) => {
    const { token } = registryToken(url, context);
    const client = createRegistryClient({ url, fetcher: makeFetcher(context), token });
    const resolved = await client.resolve(name, resolution.version ?? range, { signal: context.signal });
    const { skill, version, archiveUrl } = resolved;
    const label = `${name}@${version.version}`;
    checkPinned(label, { pinned: resolution.digest, received: version.dist.digest });
    const file = join(staging.dir, 'archive');
    await client.download(resolved, file, downloadOptions(label, context));
    const unpacked = join(staging.dir, 'unpacked');
    const { root } = await unpack(file, unpacked, { context, label });
    const fetched = stageSkills(
      root,
      {
        source,
        resolution: { version: version.version, digest: version.dist.digest },
        verified: true,
        rootName: name,
      },
      { context, staging },
    );
    discardTemporary(file);
    discardTemporary(unpacked);
    const skills = fetched.skills.filter((found) => found.name === name);
    if (skills.length === 0 && fetched.diagnostics.length === 0)
      throw SkillwrightError.of('E215', {
        url: archiveUrl,
        why: `the archive holds no skill called ${name}`,
      });
    const { level, rating, downloads, repository } = skill;
    const asserted = isUsersRegistry(url, context)
      ? { registry: { level, rating: rating ?? undefined, downloads }, repository: repository ?? undefined }
      : {};
    return { ...fetched, skills, ...asserted };
  });
}
