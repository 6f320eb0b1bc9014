// Checks that need no archive, so that nobody uploads one in vain.

import { valid } from 'semver';
import type { SkillAddress } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { demand, notFound, unauthorised } from '../access/may.ts';
import { Failure } from '../app/failure.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/database.ts';

/** The address of a version. */
export interface VersionAddress extends SkillAddress {
  readonly version: string;
}

const MAX_VERSION = 64;

interface Namespace {
  ownerId: number;
  visibility: 'private' | 'public' | null;
  requireProvenance: boolean | null;
  taken: string | null;
}

/** Fails unless the caller may publish this version, as far as can be told without its archive. */
export async function admitPublication(
  { database, settings }: Registry,
  caller: Caller,
  { owner, name, version, digest }: VersionAddress & { readonly digest: string },
): Promise<{ readonly ownerId: number }> {
  if (caller.via === 'anonymous') throw unauthorised();
  const [row] = await database.query<Namespace>(
    `select o.id as "ownerId", s.visibility, s.require_provenance as "requireProvenance",
       (select v.archive_digest from versions v where v.skill_id = s.id and v.version = $3) as taken
     from owners o left join skills s on s.owner_id = o.id and s.name = $2 where o.name = $1`,
    [owner, name, version],
  );
  if (row === undefined) throw notFound();
  demand(caller, 'publish', { ownerId: row.ownerId, visibility: row.visibility ?? 'private', name });
  if (caller.account === undefined)
    throw new Failure('forbidden', 'a version needs an account as its publisher');
  // Mirrors add the day when content changes and the author's version does not.
  const [core = '', build] = caller.via === 'system' ? version.split('+') : [version];
  const isVersion =
    valid(core) === core && !core.includes('+') && (build === undefined || /^[0-9.]+$/.test(build));
  if (version.length > MAX_VERSION || !isVersion)
    throw new Failure(
      'bad_request',
      `a published version is a semantic version without build metadata, of at most ${MAX_VERSION} characters`,
    );
  if (row.taken !== null) throw versionExists({ version, taken: row.taken, digest });
  demandProvenance(caller, { isRequired: settings.requireProvenance || row.requireProvenance === true });
  return { ownerId: row.ownerId };
}

/** Fails when a version must come from a trusted publisher and the caller is none. */
export function demandProvenance(caller: Caller, { isRequired }: { readonly isRequired: boolean }): void {
  if (!isRequired || caller.provenance !== undefined || caller.via === 'system') return;
  throw new Failure('forbidden', 'versions of this skill must come from a trusted publisher in CI');
}

/** The answer when a version is taken. */
export function versionExists({
  version,
  taken,
  digest,
}: {
  readonly version: string;
  readonly taken: string;
  readonly digest: string;
}): Failure {
  return new Failure(
    'version_exists',
    taken === digest
      ? `version ${version} exists already, with the same archive; nothing is left to do`
      : `version ${version} exists already, with another archive; a version never changes: publish a higher one`,
  );
}

/** The digest of a version's archive; undefined while the version is free. */
export async function findTaken(
  tx: Queryable,
  { skillId, version }: { readonly skillId: number; readonly version: string },
): Promise<string | undefined> {
  const [row] = await tx.query<{ digest: string }>(
    'select archive_digest as digest from versions where skill_id = $1 and version = $2',
    [skillId, version],
  );
  return row?.digest;
}
