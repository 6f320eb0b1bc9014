// Looks skills up by address, all that are asked for at once in one query.

import type { SkillAddress } from 'skillwright/registry-protocol';
import type { Registry } from '../registry.ts';
import { type SkillRow, skillColumns } from './find-skill.ts';

interface Asked {
  readonly address: SkillAddress;
  resolve(row: SkillRow | undefined): void;
  reject(error: unknown): void;
}

interface Batch {
  asked: Asked[];
  isRunning: boolean;
}

const MAX_BATCH = 200;
const batches = new WeakMap<Registry, Batch>();

/**
 * The current row of a skill. While a query is under way, further questions wait for the next one, so an answer is never older
 * than its question.
 */
export function lookUpSkill(registry: Registry, address: SkillAddress): Promise<SkillRow | undefined> {
  const batch = batches.get(registry) ?? { asked: [], isRunning: false };
  batches.set(registry, batch);
  return new Promise((resolve, reject) => {
    batch.asked.push({ address, resolve, reject });
    if (!batch.isRunning) void run(registry, batch);
  });
}

async function run(registry: Registry, batch: Batch): Promise<void> {
  batch.isRunning = true;
  // Requests that arrive in the same turn share the query.
  await new Promise(setImmediate);
  while (batch.asked.length > 0) {
    const asked = batch.asked.splice(0, MAX_BATCH);
    try {
      const rows = await findSkills(
        registry,
        asked.map(({ address }) => address),
      );
      for (const [at, { resolve }] of asked.entries()) resolve(rows[at]);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
  batch.isRunning = false;
}

/** Skills in the order of their addresses; undefined for those that do not exist. */
export async function findSkills(
  { database }: Registry,
  addresses: readonly SkillAddress[],
): Promise<(SkillRow | undefined)[]> {
  const spelled = addresses.map(({ owner, name }) => `${owner}/${name}`);
  const wanted = [...new Set(spelled)].map((text) => text.split('/'));
  const rows = await database.query<SkillRow>(
    `select ${skillColumns} from unnest($1::text[], $2::text[]) as a(owner, name)
     join owners o on o.name = a.owner join skills s on s.owner_id = o.id and s.name = a.name`,
    [wanted.map(([owner]) => owner), wanted.map(([, name]) => name)],
  );
  const found = new Map(rows.map((row) => [`${row.owner}/${row.name}`, row]));
  return spelled.map((text) => found.get(text));
}
