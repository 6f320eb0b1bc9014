// Fetches mirrors that are due and publishes the skills that changed. Fetched versions stay when the source is gone.

import { createHash } from 'node:crypto';
import type { MirrorRun, Provenance } from 'skillwright/registry-protocol';
import { archiveSkill, type FetchedSkill, fetchSource, type PackedSkill, packSkill } from 'skillwright/ship';
import { isSemver } from 'skillwright/skill';
import { anonymous, type Caller, stillMay } from '../access/index.ts';
import { digestOf, Failure, withWorkDirectory } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { publish } from '../skills/index.ts';
import { json } from '../store/index.ts';
import { fetchContext, type MirrorSource, readMirrorSource } from './mirror-source.ts';

interface DueMirror {
  id: number;
  source: string;
  owner_id: number;
  owner: string;
  account_id: number;
  account: string;
  /** Whether the account that added it still manages the namespace. */
  is_managed: boolean;
}

/** Runs every mirror that is due, one after another. Several processes share the work. */
export async function syncDueMirrors(registry: Registry, signal: AbortSignal): Promise<MirrorRun[]> {
  const runs: MirrorRun[] = [];
  while (!signal.aborted) {
    const mirror = await takeDue(registry);
    if (mirror === undefined) break;
    runs.push(await syncMirror(registry, mirror, signal));
  }
  return runs;
}

/** A mirror of a namespace. */
type WantedMirror = Pick<DueMirror, 'id' | 'owner_id'>;

/** Runs one mirror now. */
export async function syncNow(
  registry: Registry,
  wanted: WantedMirror,
  signal: AbortSignal,
): Promise<MirrorRun> {
  const mirror = await takeDue(registry, wanted);
  if (mirror === undefined) throw new Failure('not_found', 'no such mirror');
  return syncMirror(registry, mirror, signal);
}

/** Claims a mirror by moving its next run, so that no other process takes it too. */
async function takeDue({ database, now }: Registry, wanted?: WantedMirror): Promise<DueMirror | undefined> {
  const [mirror] = await database.query<DueMirror>(
    `with due as (
       select id from mirrors where case when $2::bigint is null then due_at <= $1 else id = $2 and owner_id = $3 end
       order by due_at limit 1 for update skip locked
     )
     update mirrors m set due_at = $1::timestamptz + m.every_minutes * interval '1 minute' from due, owners o, accounts a
     where m.id = due.id and o.id = m.owner_id and a.id = m.added_by
     returning m.id, m.source, m.owner_id, o.name as owner, a.id as account_id, a.name as account,
       ${stillMay('manage', { account: 'm.added_by', owner: 'm.owner_id' })} as is_managed`,
    [now(), wanted?.id ?? null, wanted?.owner_id ?? null],
  );
  return mirror;
}

async function syncMirror(registry: Registry, mirror: DueMirror, signal: AbortSignal): Promise<MirrorRun> {
  const published: string[] = [];
  const notes: string[] = [];
  let unchanged = 0;
  let failure: string | null = null;
  let resolution: string | null = null;
  try {
    if (!mirror.is_managed)
      throw new Failure(
        'forbidden',
        `${mirror.account} added this mirror and does not manage @${mirror.owner} any more: remove it and add it again`,
      );
    await withWorkDirectory('mirror', async (directory) => {
      const context = await fetchContext(registry, { directory, signal });
      const source = readMirrorSource(mirror.source, context);
      const fetched = await fetchSource(source, context);
      resolution = fetched.resolution.commit ?? fetched.resolution.digest ?? null;
      notes.push(...fetched.diagnostics.map(({ message }) => message));
      try {
        for (const skill of fetched.skills) {
          const from = { source, commit: (skill.resolution ?? fetched.resolution).commit ?? null };
          const version = await publishChanged(registry, { mirror, skill, from }).catch((error: unknown) => {
            notes.push(`${skill.name}: ${explain(error)}`);
            return null;
          });
          if (version === undefined) unchanged++;
          else if (version !== null) published.push(`@${mirror.owner}/${skill.name}@${version}`);
        }
      } finally {
        fetched.release();
      }
    });
  } catch (error) {
    failure = explain(error);
  }
  await registry.database.query(
    `update mirrors set synced_at = case when $2::text is null then $3 else synced_at end, failure = $2,
       resolution = coalesce($4, resolution), notes = $5::jsonb where id = $1`,
    [mirror.id, failure, registry.now(), resolution, json(notes.slice(0, 100))],
  );
  return { source: mirror.source, published, unchanged, notes, failure };
}

/** Publishes a skill whose files differ from those of the last run. Undefined when nothing changed. */
async function publishChanged(
  registry: Registry,
  {
    mirror,
    skill,
    from,
  }: {
    readonly mirror: DueMirror;
    readonly skill: FetchedSkill;
    readonly from: { readonly source: MirrorSource; readonly commit: string | null };
  },
): Promise<string | undefined> {
  const { database } = registry;
  const packed = packSkill(skill.dir);
  const content = contentOf(packed);
  const [known] = await database.query<{ content: string }>(
    'select content from mirrored where mirror_id = $1 and name = $2',
    [mirror.id, packed.name],
  );
  if (known?.content === content) return undefined;
  const taken = await database.query<{ version: string }>(
    `select v.version from versions v join skills s on s.id = v.skill_id where s.owner_id = $1 and s.name = $2`,
    [mirror.owner_id, packed.name],
  );
  const version = versionToPublish(packed.version, {
    taken: new Set(taken.map((row) => row.version)),
    now: registry.now(),
  });
  const archive = await archiveSkill(packed.files);
  await publish(registry, callerOf(mirror), {
    owner: mirror.owner,
    name: packed.name,
    version,
    archive,
    digest: digestOf(archive),
    provenance: provenanceOf(from.source, { commit: from.commit, path: skill.within }),
  });
  await database.query(
    `insert into mirrored (mirror_id, name, content, version) values ($1, $2, $3, $4)
     on conflict (mirror_id, name) do update set content = excluded.content, version = excluded.version`,
    [mirror.id, packed.name, content, version],
  );
  return version;
}

/** One digest of all files. */
function contentOf({ files }: PackedSkill): string {
  const hash = createHash('sha256');
  for (const { path, bytes, executable } of files)
    hash.update(`${path}\0${executable}\0${createHash('sha256').update(bytes).digest('hex')}\n`);
  return hash.digest('hex');
}

function provenanceOf(
  source: MirrorSource,
  { commit, path }: { readonly commit: string | null; readonly path: string },
): Provenance {
  return {
    kind: 'mirror',
    issuer: null,
    subject: path === '' ? null : path,
    repository: source.url,
    repositoryId: null,
    ownerId: null,
    commit,
    ref: source.kind === 'git' ? (source.ref ?? null) : null,
    workflow: null,
    run: null,
  };
}

/** A mirror acts for the account that added it. */
function callerOf({ account_id: id, account: name }: DueMirror): Caller {
  return { ...anonymous, via: 'system', account: { id, name, isAdmin: false } };
}

function explain(error: unknown): string {
  if (error instanceof Failure) return [error.message, ...error.details].join('; ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * The author's version while it is new. When its content changed but the version did not, or there is none, the day:
 * `1.2.0+20261116` after 1.2.0, or `0.20261116.0`. A second change on the same day counts up.
 */
export function versionToPublish(
  declared: string | undefined,
  { taken, now }: { readonly taken: ReadonlySet<string>; readonly now: Date },
): string {
  if (declared !== undefined && isSemver(declared) && !taken.has(declared)) return declared;
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  for (let count = 0; ; count++) {
    const version =
      declared !== undefined && isSemver(declared)
        ? `${declared.split('+')[0]}+${day}${count === 0 ? '' : `.${count}`}`
        : `0.${day}.${count}`;
    if (!taken.has(version)) return version;
  }
}
