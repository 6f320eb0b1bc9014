// A skill of a registry: index, version document, proof, archive. Each is checked against the one before.

import { join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { toolVersion } from '../../../base/version.ts';
import { checkLogged, chooseVersion, type OpenRegistry, registryNotices } from '../../network/index.ts';
import { type SkillIndex, spellAddress, type VersionDocument } from '../../protocol/index.ts';
import { integrityOf, readSkillFiles } from '../place/stored-files.ts';
import { openSourceRegistry, type RegistrySource } from '../source/ask-registries.ts';
import type { FetchedSkill, FetchedSource, RegistryFacts, Resolution } from '../source/fetched-source.ts';
import { checkPinned, downloadOptions, stageArchive } from './fetch-archive.ts';
import type { StagingWorld } from './fetch-source.ts';

/**
 * Fetches a skill from the registry that the source names and checks every promised digest. E210 without a registry, E201
 * when no version matches, E204 when the version has changed, E215 when the archive contains another skill, E236 and E237
 * when the version is withheld, E238 when it needs another skc, and the errors of `checkLogged`.
 */
export async function fetchRegistry(
  source: RegistrySource,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const { name, range } = source;
  const { signal } = context;
  const registry = await openSourceRegistry(source, context);
  const { client } = registry;
  const index = await client.index(source, { signal });
  const version = chooseVersion(index, resolution.version ?? range);
  const label = `${spellAddress(source)}@${version.version}`;
  checkPinned(`the document of ${label}`, { pinned: resolution.document, received: version.document });
  checkPinned(label, { pinned: resolution.digest, received: version.archive });
  const document = await client.document(source, version, { signal });
  checkClient(document, label);
  const promised = { document: version.document, archive: version.archive };
  const logged = { ...document, ...promised, isPublic: index.visibility === 'public' };
  const { proof, remarks } = await checkLogged(logged, registry, context);
  const file = join(staging.dir, 'archive');
  const maxBytes = context.config.network.max_bytes;
  await client.download(document, file, { ...downloadOptions(label, context), maxBytes });
  const found = { version: version.version, digest: version.archive, document: version.document };
  const facts = { source, resolution: found, verified: true, rootName: name };
  const fetched = await stageArchive(file, { label, tree: facts }, { context, staging });
  const skills = fetched.skills.filter((one) => one.name === name);
  if (skills.length === 0 && fetched.diagnostics.length === 0)
    throw SkillwrightError.of('E215', { url: client.url, why: `the archive has no skill named ${name}` });
  for (const skill of skills) checkFiles(skill, document, label);
  return {
    ...fetched,
    skills,
    notices: registryNotices(index, version.version),
    remarks,
    proof,
    registry: claimsOf(index, registry),
  };
}

/** E238 when this skc is not among those that can install the version. */
function checkClient({ client }: VersionDocument, what: string): void {
  if (client === null) return;
  const isFit = validRange(client) !== null && satisfies(toolVersion, client, { includePrerelease: true });
  if (isFit) return;
  throw SkillwrightError.of(
    'E238',
    { what, range: client, version: toolVersion },
    { help: 'install another skc, or another version of the skill' },
  );
}

/** E204 when the archive contains a file that the document does not describe so. */
function checkFiles({ dir }: FetchedSkill, { files }: VersionDocument, what: string): void {
  const promised = new Map(files.map(({ path, digest }) => [path, digest]));
  for (const [path, { bytes }] of readSkillFiles(dir)) {
    const received = integrityOf(bytes);
    checkPinned(`${path} of ${what}`, { pinned: promised.get(path) ?? 'no such file', received });
  }
}

/** The registry's claims, for the trust score. Those of a registry that only a project names do not count. */
function claimsOf(
  { level, rating, downloads, repository }: SkillIndex,
  { isUsers }: Pick<OpenRegistry, 'isUsers'>,
): RegistryFacts | undefined {
  return isUsers
    ? { level, rating: rating?.mean, downloads, repository: repository ?? undefined }
    : undefined;
}
