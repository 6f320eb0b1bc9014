// The one way to the database: the same SQL on embedded PostgreSQL (PGlite) and on a PostgreSQL server.

/** Runs one statement. Rows have plain values: int8 as number, timestamptz as Date, date as text, bytea as bytes, jsonb parsed. */
export interface Queryable {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** A database. Inside a transaction use the transaction's `query` alone. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres';
  /** Commits when the work returns, rolls back when it throws. Runs it again after a deadlock or a serialisation failure. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Several statements without parameters, in one transaction. For migrations. */
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Type ids of PostgreSQL whose values both drivers read in the same way. */
export const valueParsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1082: (text) => text,
  1184: (text) => new Date(text),
  1700: Number,
};

/** A jsonb parameter: `$1::jsonb`. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

const REPEATABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

/** Runs a transaction again while another one stands in its way. */
export async function retryTransaction<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempts === MAX_ATTEMPTS || typeof code !== 'string' || !REPEATABLE.has(code)) throw error;
    }
  }
}

/** The error code of PostgreSQL, such as 23505 for a value that exists. */
export function databaseCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
