// A skill as in lists, from its row.

import { type SkillSummary, spellAddress } from 'skillwright/registry-protocol';
import { ratingOf } from '../catalog/index.ts';

/** Columns of a summary, for `skills s join owners o`. */
export const summaryColumns = `s.id, o.name as owner, s.name, s.description, s.visibility, s.level, s.rating_sum, s.rating_count,
  s.downloads, s.latest, s.license, s.repository, s.homepage, s.tags, s.category, s.deprecated, s.created_at, s.updated_at`;

/** A row with these columns. */
export interface SummaryRow {
  id: number;
  owner: string;
  name: string;
  description: string;
  visibility: 'private' | 'public';
  level: SkillSummary['level'];
  rating_sum: number;
  rating_count: number;
  downloads: number;
  latest: string | null;
  license: string | null;
  repository: string | null;
  homepage: string | null;
  tags: string[];
  category: string | null;
  deprecated: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The summary of a row. */
export function readSummary(row: SummaryRow): SkillSummary {
  return {
    name: spellAddress(row),
    description: row.description,
    visibility: row.visibility,
    level: row.level,
    rating: ratingOf({ ratingSum: row.rating_sum, ratingCount: row.rating_count }),
    downloads: row.downloads,
    latest: row.latest,
    license: row.license,
    repository: row.repository,
    homepage: row.homepage,
    tags: row.tags,
    category: row.category,
    deprecated: row.deprecated,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
  };
}
