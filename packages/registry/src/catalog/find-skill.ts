// A skill by its address, as rights and documents need it.

import type { SkillAddress, SkillSummary } from 'skillwright/registry-protocol';
import {
  type Authority,
  type Caller,
  type Guarded,
  maySee,
  notFound,
  unauthorised,
} from '../access/index.ts';
import type { Queryable } from '../store/index.ts';

/** One skill. */
export interface SkillRow
  extends Guarded,
    Omit<SkillSummary, 'name' | 'visibility' | 'rating' | 'created' | 'updated'> {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly requireProvenance: boolean;
  readonly authority: Authority;
  readonly ratingSum: number;
  readonly ratingCount: number;
  readonly revision: number;
  readonly settleAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Columns of a `SkillRow`; the aliases are `s` for skills and `o` for owners. */
export const skillColumns = `s.id, s.owner_id as "ownerId", o.name as owner, s.name, s.visibility, s.is_withheld as "isWithheld",
  s.require_provenance as "requireProvenance", s.description, s.license, s.repository, s.homepage, s.tags, s.category, s.level,
  s.latest, s.deprecated, s.authority, s.rating_sum as "ratingSum", s.rating_count as "ratingCount", s.downloads, s.revision,
  s.settle_at as "settleAt", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** The skill, locked until the transaction ends. 404 when the caller may not see it, 401 without an account. */
export async function lockSkill(
  tx: Queryable,
  caller: Caller,
  { owner, name }: SkillAddress,
): Promise<SkillRow> {
  if (caller.via === 'anonymous') throw unauthorised();
  const [row] = await tx.query<SkillRow>(
    `select ${skillColumns} from skills s join owners o on o.id = s.owner_id where o.name = $1 and s.name = $2
     for update of s`,
    [owner, name],
  );
  if (row === undefined || !maySee(caller, row)) throw notFound();
  return row;
}
