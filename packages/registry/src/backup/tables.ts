// The tables of a registry, from the database's own catalogue: a new migration needs no change here.

import type { Queryable } from '../store/index.ts';

/** A table with the columns that are stored, in order. */
export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
}

/**
 * `migrations` is in the manifest, `blobs` are files, changes for search name transactions of one server. Unlogged tables hold
 * what may be lost.
 */
const EXCLUDED = ['migrations', 'blobs', 'search_changes', 'search_horizon'];

/** All tables whose rows a backup contains, by name. */
export async function listTables(tx: Queryable): Promise<Table[]> {
  return tx.query<Table>(
    `select c.relname::text as name,
       (select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(jsonb_agg(a.attname order by a.attnum), '[]')
        from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> all($1::text[])
     order by c.relname`,
    [EXCLUDED],
  );
}

/** Names of the sequences. */
export async function listSequences(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  );
  return rows.map(({ name }) => name);
}

/** An identifier in a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Makes the text of values the same on every server. */
export async function fixTextForms(tx: Queryable): Promise<void> {
  for (const setting of [
    `datestyle = 'ISO, YMD'`,
    `timezone = 'UTC'`,
    `intervalstyle = 'postgres'`,
    'extra_float_digits = 1',
    `bytea_output = 'hex'`,
  ])
    await tx.query(`set local ${setting}`);
}
