// Brings what a skill shows of itself in line with its versions, after each change.

import { prerelease } from 'semver';
import type { Registry } from '../registry.ts';
import { indexSkill } from '../search/index-skill.ts';
import type { Queryable } from '../store/database.ts';
import type { PublishedManifest, SearchText } from './inspection.ts';
import { installableOf } from './installable.ts';
import { newestFirst, type VersionRow, versionColumns } from './version-row.ts';

/** Highest installable version that is not a prerelease. `versions` are newest first. */
function latestOf(versions: readonly VersionRow[], now: Date): string | null {
  const latest = versions.find(
    (row) => prerelease(row.version) === null && installableOf(row, now).answer === 'yes',
  );
  return latest?.version ?? null;
}

/** All versions of these skills, newest first within each. */
export async function loadVersions(
  database: Queryable,
  skillIds: readonly number[],
): Promise<Map<number, VersionRow[]>> {
  const rows = await database.query<VersionRow>(
    `select ${versionColumns} from versions v where v.skill_id = any($1::bigint[])`,
    [skillIds],
  );
  const bySkill = new Map<number, VersionRow[]>(skillIds.map((id) => [id, []]));
  for (const row of rows) bySkill.get(row.skill_id)!.push(row);
  for (const versions of bySkill.values()) versions.sort(newestFirst);
  return bySkill;
}

/**
 * Sets `latest` and the texts of a skill from its versions, and counts its revision up. Call it with the skill locked, after the
 * change and before the log entry.
 */
export async function refreshSkill(
  tx: Queryable,
  registry: Registry,
  skill: { readonly id: number; readonly name: string; readonly owner: string },
  /**
   * `isPublic` is false for a change that only members see: the time of the last change would reveal it. `isReindexed` renews
   * what searches know, after a change of who may find the skill.
   */
  {
    isPublic = true,
    isReindexed = false,
  }: { readonly isPublic?: boolean; readonly isReindexed?: boolean } = {},
): Promise<void> {
  const now = registry.now();
  const versions = (await loadVersions(tx, [skill.id])).get(skill.id)!;
  const latest = latestOf(versions, now);
  const shown = latest ?? versions.find((row) => installableOf(row, now).answer !== 'no')?.version ?? null;
  const waiting = versions
    .filter(({ eligible_at }) => eligible_at > now)
    .map(({ eligible_at }) => eligible_at.getTime());
  const [before] = await tx.query<{ shown: string | null }>('select shown from skills where id = $1', [
    skill.id,
  ]);
  await tx.query(
    `update skills set latest = $2, settle_at = $3, updated_at = coalesce($4, updated_at), revision = revision + 1
     where id = $1`,
    [skill.id, latest, waiting.length === 0 ? null : new Date(Math.min(...waiting)), isPublic ? now : null],
  );
  if (before?.shown !== shown || isReindexed) await showVersion(tx, registry, { skill, shown });
}

/** Takes description, licence, tags and searched text from one version, or none. */
async function showVersion(
  tx: Queryable,
  registry: Registry,
  { skill, shown }: { skill: { id: number; name: string; owner: string }; shown: string | null },
): Promise<void> {
  const [row] = await tx.query<{ manifest: PublishedManifest; search_text: Partial<SearchText> }>(
    'select manifest, search_text from versions where skill_id = $1 and version = $2',
    [skill.id, shown],
  );
  const manifest = row?.manifest;
  const { description = '', tags = [], category = null } = manifest ?? {};
  await tx.query(
    `update skills set shown = $2, description = $3, license = $4, repository = $5, homepage = $6, tags = $7, category = $8
     where id = $1`,
    [
      skill.id,
      shown,
      description,
      manifest?.license ?? null,
      manifest?.repository ?? null,
      manifest?.homepage ?? null,
      tags,
      category,
    ],
  );
  const { headings = [], body = '' } = row?.search_text ?? {};
  const { id: skillId, name, owner } = skill;
  await indexSkill(tx, registry, { skillId, name, owner, description, tags, category, headings, body });
}

/** Refreshes skills whose versions have become old enough for `latest`. Several processes may run it at once. */
export async function settleSkills(registry: Registry, skillId?: number): Promise<number> {
  return registry.database.transaction(async (tx) => {
    const due = await tx.query<{ id: number; name: string; owner: string }>(
      `select s.id, s.name, o.name as owner from skills s join owners o on o.id = s.owner_id
       where s.settle_at <= $1 and ($2::bigint is null or s.id = $2) order by s.id limit 100 for update of s skip locked`,
      [registry.now(), skillId ?? null],
    );
    for (const skill of due) await refreshSkill(tx, registry, skill);
    return due.length;
  });
}
