// A skill as one caller sees it. There are two views: everyone's, and that of members who may see versions before review.

import type { IndexVersion, RegistryAdvisory, SkillIndex, SkillSummary } from 'skillwright/registry-protocol';
import { spellAddress } from 'skillwright/registry-protocol';
import { type Caller, may } from '../access/index.ts';
import { digestOf } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import type { SkillRow } from './find-skill.ts';
import { indexVersionOf, isPublished, loadVersions, type VersionRow } from './version-row.ts';

/** A skill with its versions and advisories, at one revision. */
export interface SkillFacts {
  readonly skill: SkillRow;
  readonly versions: readonly VersionRow[];
  readonly advisories: readonly RegistryAdvisory[];
  /** Rendered documents by view. */
  readonly documents: Map<View, RenderedIndex>;
}

type View = 'published' | 'preview';

/** The bytes of an index document and their ETag. */
interface RenderedIndex {
  readonly text: string;
  readonly tag: string;
}

const MAX_CACHED = 2000;

/** Facts of skills whose rows were just read; those of an unchanged revision come from memory. */
export async function loadFacts(
  registry: Store & { readonly skillFacts: Map<number, SkillFacts> },
  skills: readonly SkillRow[],
): Promise<Map<number, SkillFacts>> {
  const { skillFacts: cache } = registry;
  const facts = new Map<number, SkillFacts>();
  const missing: SkillRow[] = [];
  for (const skill of skills) {
    const known = cache.get(skill.id);
    if (known?.skill.revision === skill.revision && known.skill.downloads === skill.downloads)
      facts.set(skill.id, known);
    else missing.push(skill);
  }
  if (missing.length === 0) return facts;
  const ids = missing.map(({ id }) => id);
  const [versions, advisories] = await Promise.all([
    loadVersions(registry.database, ids),
    loadAdvisories(registry, ids),
  ]);
  for (const skill of missing) {
    const fresh = {
      skill,
      versions: versions.get(skill.id)!,
      advisories: advisories.get(skill.id) ?? [],
      documents: new Map(),
    };
    facts.set(skill.id, fresh);
    keep(cache, fresh);
  }
  return facts;
}

function keep(cache: Map<number, SkillFacts>, fresh: SkillFacts): void {
  const { id } = fresh.skill;
  cache.delete(id);
  cache.set(id, fresh);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
}

async function loadAdvisories(
  { database }: Store,
  ids: readonly number[],
): Promise<Map<number, RegistryAdvisory[]>> {
  const rows = await database.query<RegistryAdvisory & { skill_id: number }>(
    `select skill_id, id, severity, summary, affected, url from advisories
     where skill_id = any($1::bigint[]) and withdrawn_at is null order by id`,
    [ids],
  );
  const bySkill = new Map<number, RegistryAdvisory[]>();
  for (const { skill_id, ...advisory } of rows)
    bySkill.set(skill_id, [...(bySkill.get(skill_id) ?? []), advisory]);
  return bySkill;
}

/** The view a caller has of a skill the caller may see. */
export function viewOf(caller: Caller, skill: Pick<SkillRow, 'ownerId' | 'name'>): View {
  return may(caller, 'preview', skill) ? 'preview' : 'published';
}

/** The versions in a view, newest first. */
export function versionsIn({ versions }: Pick<SkillFacts, 'versions'>, view: View): readonly VersionRow[] {
  return view === 'preview' ? versions : versions.filter(isPublished);
}

/** The index document in a view; rendered once per revision. */
export function renderIndex(registry: Store, facts: SkillFacts, view: View): RenderedIndex {
  const known = facts.documents.get(view);
  if (known !== undefined) return known;
  const text = JSON.stringify(indexOf(registry, facts, view));
  const rendered = { text, tag: `"${digestOf(text).slice('sha256:'.length, 39)}"` };
  facts.documents.set(view, rendered);
  return rendered;
}

/** The index of a skill in a view. */
export function indexOf(registry: Store, facts: SkillFacts, view: View): SkillIndex {
  const now = registry.now();
  const versions: IndexVersion[] = versionsIn(facts, view).map((row) => indexVersionOf(row, now));
  return { ...summaryOf(facts.skill), schema: 1, versions, advisories: [...facts.advisories] };
}

/** A skill without its versions. */
export function summaryOf(skill: SkillRow): SkillSummary {
  return {
    name: spellAddress(skill),
    description: skill.description,
    visibility: skill.visibility,
    level: skill.level,
    rating: ratingOf(skill),
    downloads: skill.downloads,
    latest: skill.latest,
    license: skill.license,
    repository: skill.repository,
    homepage: skill.homepage,
    tags: skill.tags,
    category: skill.category,
    deprecated: skill.deprecated,
    created: skill.createdAt.toISOString(),
    updated: skill.updatedAt.toISOString(),
  };
}

/** Mean and number of ratings, the mean to two digits. */
export function ratingOf({
  ratingSum,
  ratingCount,
}: Pick<SkillRow, 'ratingSum' | 'ratingCount'>): SkillSummary['rating'] {
  if (ratingCount === 0) return null;
  return { mean: Math.round((100 * ratingSum) / ratingCount) / 100, count: ratingCount };
}
