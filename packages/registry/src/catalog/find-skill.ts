// A skill by its address, as rights and documents need it.

import type { SkillAddress, SkillSummary } from 'skillwright/registry-protocol';
import {
  type Authority,
  type Caller,
  type Guarded,
  maySee,
  notFound,
  readersOf,
  unauthorised,
  visibleBy,
} from '../access/index.ts';
import type { Queryable, Store } from '../store/index.ts';

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

interface Question {
  readonly caller: Caller;
  readonly address: SkillAddress;
}

interface Asked extends Question {
  resolve(row: SkillRow | undefined): void;
  reject(error: unknown): void;
}

/** Questions that wait for the query under way. */
export interface SkillBatch {
  asked: Asked[];
  isRunning: boolean;
}

const MAX_BATCH = 200;

type Batching = Store & { readonly skillBatch: SkillBatch };

/**
 * The current row of a skill, if the caller may see it. While a query is under way, further questions wait for the next one, so an answer is never older
 * than its question.
 */
export function lookUpSkill(
  registry: Batching,
  caller: Caller,
  address: SkillAddress,
): Promise<SkillRow | undefined> {
  const { skillBatch: batch } = registry;
  return new Promise((resolve, reject) => {
    batch.asked.push({ caller, address, resolve, reject });
    if (!batch.isRunning) void runBatches(registry);
  });
}

async function runBatches(registry: Batching): Promise<void> {
  const { skillBatch: batch } = registry;
  batch.isRunning = true;
  // Requests that arrive in the same turn share the query.
  await new Promise(setImmediate);
  while (batch.asked.length > 0) {
    const asked = batch.asked.splice(0, MAX_BATCH);
    try {
      const rows = await lookUpSkills(registry, asked);
      for (const [at, { resolve }] of asked.entries()) resolve(rows[at]);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
  batch.isRunning = false;
}

/** Skills in the order of the questions; undefined for those that do not exist or that the caller may not see. */
export async function lookUpSkills(
  { database }: Store,
  questions: readonly Question[],
): Promise<(SkillRow | undefined)[]> {
  const spelled = questions.map(
    ({ caller, address: { owner, name } }) => `${owner}/${name}/${readersOf(caller, name)}`,
  );
  const wanted = [...new Set(spelled)].map((text) => text.split('/'));
  const rows = await database.query<SkillRow & { readers: string }>(
    `select ${skillColumns}, a.readers from unnest($1::text[], $2::text[], $3::text[]) as a(owner, name, readers)
     join owners o on o.name = a.owner join skills s on s.owner_id = o.id and s.name = a.name
     where ${visibleBy('a.readers')}`,
    [0, 1, 2].map((part) => wanted.map((parts) => parts[part])),
  );
  const found = new Map<string, SkillRow>(
    rows.map(({ readers, ...row }) => [`${row.owner}/${row.name}/${readers}`, row] as const),
  );
  return spelled.map((text) => found.get(text));
}
