// Brings what a skill shows of itself in line with its versions, after each change.

import { prerelease } from 'semver';
import { WORDS_VERSION } from 'skillwright/read';
import { installableOf, isPublished, loadVersions, type VersionRow } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { indexSkills, unindexSkill } from '../search/index.ts';
import { json, type Queryable } from '../store/index.ts';
import type { PublishedManifest, SearchText } from './inspection.ts';

/** Highest installable version that is not a prerelease. `versions` are newest first. */
function latestOf(versions: readonly VersionRow[], now: Date): string | null {
  const latest = versions.find(
    (row) => prerelease(row.version) === null && installableOf(row, now).answer === 'yes',
  );
  return latest?.version ?? null;
}

/** A skill to refresh. */
interface RefreshedSkill {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  /** False for a change that only members see: the time of the last change would reveal it. */
  readonly isPublic?: boolean | undefined;
  /** Renews what searches know, after a change of who may find the skill. */
  readonly isReindexed?: boolean | undefined;
}

/**
 * Sets `latest` and the texts of a skill from its versions, and counts its revision up. Call it with the skill locked, after the
 * change and before the log entry.
 */
export async function refreshSkill(
  tx: Queryable,
  registry: Registry,
  { id, name, owner }: RefreshedSkill,
  options: Pick<RefreshedSkill, 'isPublic' | 'isReindexed'> = {},
): Promise<void> {
  await refreshSkills(tx, registry, { skills: [{ id, name, owner, ...options }] });
}

/** Texts of a version that a skill takes over. */
export interface VersionTexts {
  readonly manifest: PublishedManifest;
  readonly searchText: Partial<SearchText>;
}

/** Refreshes several skills, with as few statements as one. */
export async function refreshSkills(
  tx: Queryable,
  registry: Registry,
  {
    skills,
    texts,
  }: {
    readonly skills: readonly RefreshedSkill[];
    /** Texts of versions by their ids, if the caller has them. */
    readonly texts?: ReadonlyMap<number, VersionTexts> | undefined;
  },
): Promise<void> {
  const now = registry.now();
  const ids = skills.map(({ id }) => id);
  const bySkill = await loadVersions(tx, ids);
  const before = await tx.query<{ id: number; shown: string | null; isWithheld: boolean }>(
    'select id, shown, is_withheld as "isWithheld" from skills where id = any($1::bigint[])',
    [ids],
  );
  const states = new Map(before.map((row) => [row.id, row]));
  const settled = skills.map((skill) => settle(skill, bySkill.get(skill.id)!, now));
  await tx.query(
    `update skills s set latest = n.latest, settle_at = n.settle_at, updated_at = coalesce(n.updated_at, s.updated_at),
       revision = s.revision + 1, is_withheld = n.is_withheld
     from jsonb_to_recordset($1::jsonb)
       as n(id bigint, latest text, settle_at timestamptz, updated_at timestamptz, is_withheld boolean)
     where s.id = n.id`,
    [
      json(
        settled.map(({ id, latest, settle_at, updated_at, is_withheld }) => ({
          id,
          latest,
          settle_at,
          updated_at,
          is_withheld,
        })),
      ),
    ],
  );
  const changed = settled.filter(({ id, shown, is_withheld, skill }) => {
    const state = states.get(id);
    return state?.shown !== shown?.version || state?.isWithheld !== is_withheld || skill.isReindexed === true;
  });
  if (changed.length > 0) await showVersions(tx, changed, texts ?? new Map());
}

type Settled = ReturnType<typeof settle>;

/** A skill as its versions make it. `versions` are newest first. */
function settle(skill: RefreshedSkill, versions: readonly VersionRow[], now: Date) {
  const latest = latestOf(versions, now);
  const shown =
    latest === null
      ? versions.find((row) => installableOf(row, now).answer !== 'no')
      : versions.find(({ version }) => version === latest);
  const waiting = versions
    .filter(({ eligible_at }) => eligible_at > now)
    .map(({ eligible_at }) => eligible_at.getTime());
  return {
    id: skill.id,
    skill,
    shown: shown ?? null,
    latest,
    settle_at: waiting.length === 0 ? null : new Date(Math.min(...waiting)),
    updated_at: skill.isPublic === false ? null : now,
    is_withheld: !versions.some(isPublished),
  };
}

/** Takes description, licence, tags and searched text from one version each, or none. */
async function showVersions(
  tx: Queryable,
  settled: readonly Settled[],
  known: ReadonlyMap<number, VersionTexts>,
): Promise<void> {
  const texts = await loadTexts(
    tx,
    settled.flatMap(({ shown }) => shown?.id ?? []),
    known,
  );
  const rows = settled.map(({ id, skill, shown }) => {
    const { manifest, searchText } = texts.get(shown?.id ?? 0) ?? {};
    const { description = '', tags = [], category = null } = manifest ?? {};
    return { id, skill, shown, manifest, searchText, description, tags, category };
  });
  await tx.query(
    `update skills s set shown = n.shown, description = n.description, license = n.license, repository = n.repository,
       homepage = n.homepage, tags = n.tags, category = n.category
     from jsonb_to_recordset($1::jsonb) as n(id bigint, shown text, description text, license text, repository text,
       homepage text, tags text[], category text)
     where s.id = n.id`,
    [
      json(
        rows.map(({ id, shown, description, tags, category, manifest }) => ({
          id,
          shown: shown?.version ?? null,
          description,
          license: manifest?.license ?? null,
          repository: manifest?.repository ?? null,
          homepage: manifest?.homepage ?? null,
          tags,
          category,
        })),
      ),
    ],
  );
  for (const { id, shown } of rows) if (shown === null) await unindexSkill(tx, id);
  const searched = rows
    .filter(({ shown }) => shown !== null)
    .map(({ id: skillId, skill: { name, owner }, description, tags, category, searchText }) => {
      const { headings = [], body = '' } = searchText ?? {};
      return { skillId, name, owner, description, tags, category, headings, body };
    });
  if (searched.length > 0) await indexSkills(tx, searched);
}

async function loadTexts(
  tx: Queryable,
  ids: readonly number[],
  known: ReadonlyMap<number, VersionTexts>,
): Promise<ReadonlyMap<number, VersionTexts>> {
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  const rows = await tx.query<{ id: number } & VersionTexts>(
    'select id, manifest, search_text as "searchText" from versions where id = any($1::bigint[])',
    [missing],
  );
  return new Map([...known, ...rows.map((row) => [row.id, row] as const)]);
}

/** Refreshes skills whose versions have become old enough for `latest`. Several processes may run it at once. */
export async function settleSkills(registry: Registry, skillId?: number): Promise<number> {
  return registry.database.transaction(async (tx) => {
    const due = await tx.query<{ id: number; name: string; owner: string }>(
      `select s.id, s.name, o.name as owner from skills s join owners o on o.id = s.owner_id
       where s.settle_at <= $1 and ($2::bigint is null or s.id = $2) order by s.id limit 100 for update of s skip locked`,
      [registry.now(), skillId ?? null],
    );
    if (due.length > 0) await refreshSkills(tx, registry, { skills: due });
    return due.length;
  });
}

/** Renews the words of skills that an earlier version of this program indexed. Several processes may run it at once. */
export async function reindexSkills(registry: Registry): Promise<number> {
  return registry.database.transaction(async (tx) => {
    const stale = await tx.query<{ id: number; name: string; owner: string }>(
      `select s.id, s.name, o.name as owner
       from search_documents d join skills s on s.id = d.skill_id join owners o on o.id = s.owner_id
       where d.words < $1 order by s.id limit 100 for update of s skip locked`,
      [WORDS_VERSION],
    );
    const skills = stale.map((skill) => ({ ...skill, isPublic: false, isReindexed: true }));
    if (skills.length > 0) await refreshSkills(tx, registry, { skills });
    return skills.length;
  });
}
