// Publication of a version: bounded, checked, scanned, and then either whole or not at all.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type IndexVersion,
  type Provenance,
  spellAddress,
  type VersionDocument,
} from 'skillwright/registry-protocol';
import { canonicalJson } from 'skillwright/transparency-log';
import { type Caller, record } from '../access/index.ts';
import { digestOf, Failure, withWorkDirectory } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { admitPublication, type VersionAddress } from './admit-publication.ts';
import type { Inspected, Inspection } from './inspect-archive.ts';
import { inspectInThread } from './inspector.ts';
import { type CheckedVersion, storeVersion } from './store-version.ts';

/** A version to publish. */
interface Publication extends VersionAddress {
  /** A `.tar.gz` with SKILL.md at its top. */
  readonly archive: Uint8Array;
  /** Its digest, as the publisher knows it. */
  readonly digest: string;
  /** For callers inside the server, such as mirrors; others prove theirs with their token. */
  readonly provenance?: Provenance | undefined;
}

/** Publishes a version, and returns it as the index shows it. */
export async function publish(
  registry: Registry,
  caller: Caller,
  publication: Publication,
): Promise<IndexVersion> {
  const { settings } = registry;
  const { archive, digest, name } = publication;
  const { ownerId } = await admitPublication(registry, caller, publication);
  if (archive.byteLength > settings.maxArchiveBytes)
    throw new Failure('too_large', `the archive has more than ${settings.maxArchiveBytes} bytes`);
  if (digestOf(archive) !== digest)
    throw new Failure('digest_mismatch', 'the archive does not have the digest in the header');
  return withWorkDirectory('publish', async (place) => {
    const file = join(place, 'archive.tar.gz');
    const directory = join(place, name);
    // No skill can have this name.
    const room = join(place, 'reading_room');
    await mkdir(room);
    await writeFile(file, archive, { mode: 0o600 });
    const { maxFiles, maxUnpackedBytes } = settings;
    const request = {
      archive: file,
      directory,
      maxFiles,
      maxUnpackedBytes,
      profile: isMirrored(caller, publication) ? 'spec' : 'registry',
      room,
    } as const;
    const account = caller.via === 'system' ? 'system' : caller.account!.id;
    const inspection = await inspectInThread(request, { account, bytes: archive.byteLength });
    const checked = await checkInspection(registry, caller, { publication, ownerId, inspection });
    return storeVersion(registry, caller, checked);
  });
}

/** A version that passed everything its files are checked for. Fails for one that cannot be published. */
export async function checkInspection(
  registry: Registry,
  caller: Caller,
  {
    publication,
    ownerId,
    inspection,
  }: { readonly publication: Publication; readonly ownerId: number; readonly inspection: Inspection },
): Promise<CheckedVersion> {
  if ('problems' in inspection)
    throw new Failure('invalid_skill', 'the skill cannot be published', { details: inspection.problems });
  const { skill } = inspection;
  const { archive, digest, owner, name, version } = publication;
  checkIdentity(skill, {
    name,
    version: isMirrored(caller, publication) ? skill.manifest.version : version,
  });
  if (skill.verdict === 'danger' && registry.settings.danger === 'refuse')
    throw await refuseDanger(registry, caller, { ownerId, publication, skill });
  const proved = caller.provenance ?? (caller.via === 'system' ? publication.provenance : undefined);
  const provenance = proved ?? null;
  return {
    address: { owner, name, version },
    ownerId,
    archive,
    digest,
    inspected: skill,
    provenance,
    ...makeDocument(registry, caller, { publication, skill, provenance }),
  };
}

function isMirrored(caller: Caller, { provenance }: Publication): boolean {
  return caller.via === 'system' && provenance?.kind === 'mirror';
}

function checkIdentity({ manifest }: Inspected, { name, version }: { name: string; version: string }): void {
  const details = [
    ...(manifest.name === name ? [] : [`SKILL.md names the skill '${manifest.name}', the address '${name}'`]),
    ...(manifest.version === version
      ? []
      : [`SKILL.md has version '${manifest.version}', the address '${version}'`]),
  ];
  if (details.length > 0)
    throw new Failure('invalid_skill', 'name and version must equal the address', { details });
}

/** One line per flag: rule, file, line. */
function describeFlags({ flags }: Inspected): string[] {
  return flags.map(({ rule, file, line, severity, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `${place} ${rule} (${severity}) ${message}`;
  });
}

async function refuseDanger(
  { database }: Registry,
  caller: Caller,
  { ownerId, publication, skill }: { ownerId: number; publication: Publication; skill: Inspected },
): Promise<Failure> {
  const details = describeFlags(skill);
  const { name, version, digest } = publication;
  await database.transaction((tx) =>
    record(tx, caller, {
      action: 'version.refuse',
      ownerId,
      version,
      details: { name, digest, flags: details },
    }),
  );
  return new Failure('refused_by_scan', 'the scan calls this version dangerous', { details });
}

function makeDocument(
  registry: Registry,
  caller: Caller,
  {
    publication,
    skill,
    provenance,
  }: { publication: Publication; skill: Inspected; provenance: Provenance | null },
): { readonly document: string; readonly documentDigest: string; readonly published: Date } {
  const now = registry.now();
  const published = now.toISOString();
  const { manifest, verdict, engine, flags } = skill;
  const value: VersionDocument = {
    schema: 1,
    name: spellAddress(publication),
    version: publication.version,
    description: manifest.description,
    license: manifest.license,
    client: manifest.client,
    archive: { digest: publication.digest, size: publication.archive.byteLength },
    unpacked: skill.unpacked,
    files: [...skill.files],
    scan: { verdict, engine, scanned: published, flags: [...flags] },
    published,
    publishedBy: caller.account?.name ?? caller.via,
    provenance,
  };
  const document = canonicalJson(value);
  return { document, documentDigest: digestOf(document), published: now };
}
