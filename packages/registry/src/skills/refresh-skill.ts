// Brings what a skill shows of itself in line with its versions, after each change.

import { prerelease } from 'semver';
import { WORDS_VERSION } from 'skillwright/read';
import { installableOf, isPublished, loadVersions, type VersionRow } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { indexSkills, unindexSkill } from '../search/index.ts';
import { json, type Queryable } from '../store/index.ts';
import type { PublishedManifest, SearchText } from './inspect-archive.ts';

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

/** Texts of a version that a skill takes over. */
export interface VersionTexts {
  readonly manifest: PublishedManifest;
  readonly searchText: Partial<SearchText>;
}

/**
 * Sets `latest` and the texts of skills from their versions, and counts their revisions up. Call it with the skills locked, after
 * the change. `texts` are those of versions by their ids, if the caller has them.
 */
export async function refreshSkills(
  tx: Queryable,
  { now: clock }: Registry,
  skills: readonly RefreshedSkill[],
  texts: ReadonlyMap<number, VersionTexts> = new Map(),
): Promise<void> {
  const now = clock();
  const ids = skills.map(({ id }) => id);
  const bySkill = await loadVersions(tx, ids);
  const before = await tx.query<{ id: number; shown: string | null; isWithheld: boolean }>(
    'select id, shown, is_withheld as "isWithheld" from skills where id = any($1::bigint[])',
    [ids],
  );
  const states = new Map(before.map((row) => [row.id, row]));
  const settled = skills.map((skill) => ({ ...skill, ...settle(bySkill.get(skill.id)!, now) }));
  await tx.query(
    `update skills s set latest = n.latest, settle_at = n.settle_at, updated_at = coalesce(n.updated_at, s.updated_at),
       revision = s.revision + 1, is_withheld = n.is_withheld
     from jsonb_populate_recordset(null::skills, $1::jsonb) as n where s.id = n.id`,
    [
      json(
        settled.map(({ id, latest, settle_at, is_withheld, isPublic = true }) => ({
          ...{ id, latest, settle_at, is_withheld },
          updated_at: isPublic ? now : null,
        })),
      ),
    ],
  );
  const changed = settled.filter(({ id, shown, is_withheld, isReindexed = false }) => {
    const state = states.get(id);
    return state?.shown !== shown?.version || state?.isWithheld !== is_withheld || isReindexed;
  });
  if (changed.length > 0) await showVersions(tx, changed, texts);
}

/** A skill as its versions make it; they are newest first. */
function settle(versions: readonly VersionRow[], now: Date) {
  const latest = versions.find(
    (row) => prerelease(row.version) === null && installableOf(row, now).answer === 'yes',
  );
  const waiting = versions.flatMap(({ eligible_at: at }) => (at > now ? [at.getTime()] : []));
  return {
    latest: latest?.version ?? null,
    shown: latest ?? versions.find((row) => installableOf(row, now).answer !== 'no'),
    settle_at: waiting.length === 0 ? null : new Date(Math.min(...waiting)),
    is_withheld: !versions.some(isPublished),
  };
}

/** Takes description, licence, tags and searched text from one version each, or none. */
async function showVersions(
  tx: Queryable,
  settled: readonly (RefreshedSkill & ReturnType<typeof settle>)[],
  known: ReadonlyMap<number, VersionTexts>,
): Promise<void> {
  const wanted = settled.flatMap(({ shown }) =>
    shown === undefined || known.has(shown.id) ? [] : [shown.id],
  );
  const read =
    wanted.length === 0
      ? []
      : await tx.query<{ id: number } & VersionTexts>(
          'select id, manifest, search_text as "searchText" from versions where id = any($1::bigint[])',
          [wanted],
        );
  const texts = new Map([...known, ...read.map((row) => [row.id, row] as const)]);
  const rows = settled.map(({ shown, ...skill }) => {
    const { manifest, searchText } = (shown && texts.get(shown.id)) ?? {};
    const { description = '', license = null, repository = null, homepage = null } = manifest ?? {};
    const { tags = [], category = null } = manifest ?? {};
    const { headings = [], body = '' } = searchText ?? {};
    const shared = { description, tags, category };
    return {
      isShown: shown !== undefined,
      columns: { id: skill.id, shown: shown?.version ?? null, license, repository, homepage, ...shared },
      searched: { skillId: skill.id, name: skill.name, owner: skill.owner, headings, body, ...shared },
    };
  });
  await tx.query(
    `update skills s set shown = n.shown, description = n.description, license = n.license, repository = n.repository,
       homepage = n.homepage, tags = n.tags, category = n.category
     from jsonb_populate_recordset(null::skills, $1::jsonb) as n where s.id = n.id`,
    [json(rows.map(({ columns }) => columns))],
  );
  for (const { isShown, columns } of rows) if (!isShown) await unindexSkill(tx, columns.id);
  const searched = rows.flatMap((row) => (row.isShown ? [row.searched] : []));
  if (searched.length > 0) await indexSkills(tx, searched);
}

/** Refreshes skills whose versions have become old enough for `latest`. Several processes may run it at once. */
export function settleSkills(registry: Registry, skillId?: number): Promise<number> {
  return refreshSome(registry, {
    from: 'skills s',
    where: 's.settle_at <= $1 and ($2::bigint is null or s.id = $2)',
    parameters: [registry.now(), skillId ?? null],
  });
}

/** Renews the words of skills that an earlier version of this program indexed. Several processes may run it at once. */
export function reindexSkills(registry: Registry): Promise<number> {
  return refreshSome(registry, {
    from: 'search_documents d join skills s on s.id = d.skill_id',
    where: 'd.words < $1',
    parameters: [WORDS_VERSION],
    how: { isPublic: false, isReindexed: true },
  });
}

/** Refreshes a hundred skills that nobody else refreshes, and returns how many there were. */
function refreshSome(
  registry: Registry,
  {
    from,
    where,
    parameters,
    how,
  }: {
    readonly from: string;
    readonly where: string;
    readonly parameters: readonly unknown[];
    readonly how?: Pick<RefreshedSkill, 'isPublic' | 'isReindexed'>;
  },
): Promise<number> {
  return registry.database.transaction(async (tx) => {
    const rows = await tx.query<RefreshedSkill>(
      `select s.id, s.name, o.name as owner from ${from} join owners o on o.id = s.owner_id
       where ${where} order by s.id limit 100 for update of s skip locked`,
      parameters,
    );
    const skills = rows.map((skill) => ({ ...skill, ...how }));
    if (skills.length > 0) await refreshSkills(tx, registry, skills);
    return skills.length;
  });
}
