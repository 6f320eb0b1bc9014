// One skill from the registry.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isUsersRegistry, registryNotices } from '../../network/index.ts';
import type { FetchedSource, Resolution, SkillSource } from '../source/fetched-source.ts';
import { openClient } from './ask-registry.ts';
import { checkPinned, downloadOptions } from './download.ts';
import { stageArchive } from './stage-archive.ts';
import type { StagingWorld } from './staging.ts';

/**
 * Fetches a skill from the registry that the source names and checks the promised digest. E210 without a registry, E201
 * when no version matches, E204 when the version has changed, E215 when the archive contains another skill.
 */
export async function fetchRegistry(
  source: Extract<SkillSource, { kind: 'registry' }>,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const { name, range } = source;
  const client = await openClient(source, context);
  const resolved = await client.resolve(name, resolution.version ?? range, { signal: context.signal });
  const { skill, version, archiveUrl } = resolved;
  const label = `${name}@${version.version}`;
  checkPinned(label, { pinned: resolution.digest, received: version.dist.digest });
  const file = join(staging.dir, 'archive');
  await client.download(resolved, file, downloadOptions(label, context));
  const found = { version: version.version, digest: version.dist.digest };
  const facts = { source, resolution: found, verified: true, rootName: name };
  const fetched = await stageArchive(file, { label, tree: facts }, { context, staging });
  const skills = fetched.skills.filter((one) => one.name === name);
  if (skills.length === 0 && fetched.diagnostics.length === 0)
    throw SkillwrightError.of('E215', {
      url: archiveUrl,
      why: `the archive has no skill named ${name}`,
    });
  const { level, rating, downloads, repository } = skill;
  const asserted = (await isUsersRegistry(client.url, context.workspace))
    ? { registry: { level, rating: rating ?? undefined, downloads, repository: repository ?? undefined } }
    : {};
  return { ...fetched, skills, notices: registryNotices(skill, version.version), ...asserted };
}
