// Checks that run before the archive is uploaded, so that a refused version costs no upload.

import { valid } from 'semver';
import type { SkillAddress } from 'skillwright/registry-protocol';
import { type Caller, demand, notFound, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';

/** The address of a version. */
export interface VersionAddress extends SkillAddress {
  readonly version: string;
}

const MAX_VERSION = 64;

interface Namespace {
  at: number;
  ownerId: number;
  visibility: 'private' | 'public' | null;
  isWithheld: boolean;
  requireProvenance: boolean | null;
  taken: string | null;
  purged: string | null;
}

type Admitted = VersionAddress & { readonly digest: string };

/** Fails unless the caller may publish this version, as far as can be told without its archive. */
export async function admitPublication(
  registry: Registry,
  caller: Caller,
  publication: Admitted,
): Promise<{ readonly ownerId: number }> {
  const [answer] = await admitPublications(registry, caller, [publication]);
  if (answer instanceof Failure) throw answer;
  return answer!;
}

/** Admits several publications with one query: an answer for each, in order. */
export async function admitPublications(
  { database, settings }: Registry,
  caller: Caller,
  publications: readonly Admitted[],
): Promise<({ readonly ownerId: number } | Failure)[]> {
  if (caller.via === 'anonymous') throw unauthorised();
  const rows = await database.query<Namespace>(
    `select n.at, o.id as "ownerId", s.visibility, coalesce(s.is_withheld, false) as "isWithheld",
       s.require_provenance as "requireProvenance", v.archive_digest as taken, v.purged
     from jsonb_to_recordset($1::jsonb) as n(at int, owner text, name text, version text)
       join owners o on o.name = n.owner left join skills s on s.owner_id = o.id and s.name = n.name
       left join versions v on v.skill_id = s.id and v.version = n.version`,
    [json(publications.map(({ owner, name, version }, at) => ({ at, owner, name, version })))],
  );
  const found = new Map(rows.map((row) => [row.at, row]));
  return publications.map((publication, at) => {
    try {
      return admit(caller, { publication, row: found.get(at), settings });
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  });
}

function admit(
  caller: Caller,
  {
    publication: { name, version, digest },
    row,
    settings,
  }: { publication: Admitted; row: Namespace | undefined; settings: Registry['settings'] },
): { readonly ownerId: number } {
  if (row === undefined) throw notFound();
  const { ownerId, isWithheld } = row;
  demand(caller, 'publish', { ownerId, visibility: row.visibility ?? 'private', isWithheld, name });
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
  if (row.taken !== null)
    throw versionExists({ version, taken: { digest: row.taken, purged: row.purged !== null }, digest });
  demandProvenance(caller, { isRequired: settings.requireProvenance || row.requireProvenance === true });
  return { ownerId };
}

/** Fails when a version must come from a trusted publisher in CI and does not. A mirror does not count as one, no matter who set it up. */
export function demandProvenance(caller: Caller, { isRequired }: { readonly isRequired: boolean }): void {
  if (!isRequired || caller.provenance?.kind === 'ci') return;
  throw new Failure('forbidden', 'versions of this skill must come from a trusted publisher in CI');
}

/** The answer when a version is taken. */
export function versionExists({
  version,
  taken,
  digest,
}: {
  readonly version: string;
  readonly taken: TakenVersion | undefined;
  readonly digest: string;
}): Failure {
  if (taken?.purged)
    return new Failure(
      'version_exists',
      `version ${version} was purged and stays taken: publish a higher one`,
    );
  return new Failure(
    'version_exists',
    taken?.digest === digest
      ? `version ${version} exists already, with the same archive; nothing is left to do`
      : `version ${version} exists already, with another archive; a version never changes: publish a higher one`,
  );
}

/** A version number that is taken. */
interface TakenVersion {
  readonly digest: string;
  readonly purged: boolean;
}

/** The version with this number; undefined while it is free. */
export async function findTaken(
  tx: Queryable,
  { skillId, version }: { readonly skillId: number; readonly version: string },
): Promise<TakenVersion | undefined> {
  const [row] = await tx.query<TakenVersion>(
    'select archive_digest as digest, purged is not null as purged from versions where skill_id = $1 and version = $2',
    [skillId, version],
  );
  return row;
}
