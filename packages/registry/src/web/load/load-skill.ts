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
import { hasPublished, seeFacts } from '../../skills/index.ts';
import type { ProofView, ShownVersion, SkillRights, SkillView } from '../skill/skill-view.ts';

/** Days shown in the picture of downloads. */
const DAYS = 90;

/** Everything but the tab. Fails like the API for those who may not see the skill. */
export async function loadSkill(
  registry: Registry,
  caller: Caller,
  { version: wanted, ...address }: SkillAddress & { readonly version?: string | undefined },
): Promise<Omit<SkillView, 'tab'> & { readonly facts: SkillFacts }> {
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
    version: row === undefined ? null : await loadVersion(registry, facts, row),
    isPinned: wanted !== undefined,
    versionFacts: await factsOf(registry, rows),
    downloads: await downloadsByDay(registry, facts.skill.id, DAYS),
    viewer: await rightsOf(registry, caller, facts),
  };
}

/** The facts that the list of versions shows about each. */
async function factsOf(
  { database }: Registry,
  rows: readonly VersionRow[],
): Promise<SkillView['versionFacts']> {
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
export async function loadVersion(
  registry: Registry,
  facts: SkillFacts,
  row: VersionRow,
): Promise<ShownVersion> {
  const [stored] = await registry.database.query<{ document: string; scan: ScanResult }>(
    `select v.document, coalesce((select c.result from scans c where c.version_id = v.id order by c.id desc limit 1), v.scan) as scan
     from versions v where v.id = $1`,
    [row.id],
  );
  const document = VersionDocument.parse(JSON.parse(stored!.document));
  return {
    index: indexVersionOf(row, registry.now()),
    document,
    scan: stored!.scan,
    trust: trustOf(facts, { document, scan: stored!.scan }),
    proof: await proofOf(registry, row.id),
  };
}

function trustOf(
  { skill }: SkillFacts,
  { document, scan }: Pick<ShownVersion, 'document' | 'scan'>,
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

async function proofOf({ database }: Registry, versionId: number): Promise<ProofView | null> {
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
    checkpointed: leaf.signed?.toISOString() ?? null,
  };
}

async function rightsOf({ database }: Registry, caller: Caller, { skill }: SkillFacts): Promise<SkillRights> {
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
