// The view model of a skill's pages, for one caller.

import { type ScanVerdict, scoreTrust, type TrustScore } from 'skillwright/guard';
import { type ScanResult, type SkillAddress, VersionDocument } from 'skillwright/registry-protocol';
import { type Caller, demandRating, may, notFound } from '../../access/index.ts';
import { Failure } from '../../base/index.ts';
import {
  downloadsByDay,
  indexOf,
  indexVersionOf,
  type SkillFacts,
  type VersionRow,
  versionsIn,
  viewOf,
} from '../../catalog/index.ts';
import type { Registry } from '../../registry.ts';
import { hasPublished, type PublishedManifest, seeFacts } from '../../skills/index.ts';

/** Days shown in the picture of downloads. */
const DAYS = 90;

/** Everything but the tab. Fails like the API for those who may not see the skill. */
export async function loadSkill(
  registry: Registry,
  caller: Caller,
  { version: wanted, ...address }: SkillAddress & { readonly version?: string | undefined },
) {
  const facts = await seeFacts(registry, caller, address);
  const view = viewOf(caller, facts.skill);
  const index = indexOf(registry, facts, view);
  const rows = versionsIn(facts, view);
  const number = wanted ?? index.latest ?? index.versions[0]?.version;
  const row = rows.find(({ version }) => version === number);
  if (wanted !== undefined && row === undefined) throw notFound();
  return {
    facts,
    index,
    /** The version shown: the one in the address, else latest, else the newest; null for a skill without versions. */
    version: row === undefined ? null : await loadVersion(registry, facts, row),
    /** True when the address names the version. */
    isPinned: wanted !== undefined,
    versionFacts: await aboutVersions(registry, rows),
    downloads: await downloadsByDay(registry, facts.skill.id, DAYS),
    viewer: await rightsOf(registry, caller, facts),
  };
}

/** Publisher, size of the archive and verdict of each version. */
async function aboutVersions({ database }: Registry, rows: readonly VersionRow[]) {
  const names = await database.query<{ id: number; name: string }>(
    'select id, name from accounts where id = any($1::bigint[])',
    [[...new Set(rows.map(({ published_by }) => published_by))]],
  );
  const publishers = new Map(names.map(({ id, name }) => [id, name]));
  return new Map(
    rows.map(({ version, archive_size: size, verdict, published_by }) => [
      version,
      { size, verdict, publisher: publishers.get(published_by) ?? '' },
    ]),
  );
}

/** One version with its documents. */
export async function loadVersion(registry: Registry, facts: SkillFacts, row: VersionRow) {
  const [stored] = await registry.database.query<{
    document: string;
    scan: ScanResult;
    manifest: Partial<PublishedManifest>;
  }>(
    `select v.document, v.manifest, coalesce((select c.result from scans c where c.version_id = v.id order by c.id desc limit 1), v.scan) as scan
     from versions v where v.id = $1`,
    [row.id],
  );
  const document = VersionDocument.parse(JSON.parse(stored!.document));
  const { author = null, abilities } = stored!.manifest;
  return {
    /** As SKILL.md names it; nobody checks that. */
    author,
    /** Undefined for a version that was published before registries looked for them. */
    abilities,
    index: indexVersionOf(row, registry.now()),
    document,
    /** The newest scan; the one in the document is that of its publication. */
    scan: stored!.scan,
    trust: trustOf(facts, { document, scan: stored!.scan }),
    proof: await proofOf(registry, row.id),
  };
}

function trustOf(
  { skill }: SkillFacts,
  { document, scan }: { readonly document: VersionDocument; readonly scan: ScanResult },
): TrustScore {
  return scoreTrust({
    registry: {
      level: skill.level,
      downloads: skill.downloads,
      ...(skill.ratingCount === 0 ? {} : { rating: skill.ratingSum / skill.ratingCount }),
      ...(skill.repository === null ? {} : { repository: skill.repository }),
    },
    license: document.license ?? undefined,
    version: document.version,
    author: document.publishedBy,
    scan: scan.verdict as ScanVerdict,
    bytes: document.unpacked,
    verified: true,
  });
}

/** The leaf of the transparency log. */
async function proofOf({ database }: Registry, versionId: number) {
  const [leaf] = await database.query<{ index: number; origin: string; size: number; signed: Date | null }>(
    `select l.index, o.origin, o.size,
       (select c.signed_at from log_checkpoints c where c.generation = o.generation and c.size > l.index
        order by c.size desc limit 1) as signed
     from log_leaves l
     join log_origins o on o.generation = l.generation and o.closed_at is null
     where l.version_id = $1 and l.kind = 'version'
     order by l.salt is not null, l.subject is null, l.index limit 1`,
    [versionId],
  );
  if (leaf === undefined) return null;
  return {
    origin: leaf.origin,
    leaf: leaf.index,
    size: leaf.size,
    /** When the newest checkpoint that covers the leaf was signed; null if nobody asked for one yet. */
    checkpointed: leaf.signed?.toISOString() ?? null,
  };
}

/** Rights of the viewer. */
async function rightsOf({ database }: Registry, caller: Caller, { skill }: SkillFacts) {
  const published = await hasPublished(database, caller, skill);
  const [rating] = await database.query<{ stars: number }>(
    'select stars from ratings where skill_id = $1 and account_id = $2',
    [skill.id, caller.account?.id ?? null],
  );
  return {
    mayRate: isAllowed(() => demandRating(caller, skill, { hasPublished: published })),
    stars: rating?.stars ?? null,
    mayPublish: may(caller, 'publish', skill),
    mayReview: may(caller, 'review', skill),
  };
}

function isAllowed(demand: () => void): boolean {
  try {
    demand();
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
