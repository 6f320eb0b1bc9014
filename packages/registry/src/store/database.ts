// The one way to the database: the same SQL on embedded PostgreSQL (PGlite) and on a PostgreSQL server.

import { setTimeout as wait } from 'node:timers/promises';

/** Runs one statement. Rows have plain values: int8 as number, timestamptz as Date, date as text, bytea as bytes, jsonb parsed. */
export interface Queryable {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** Runs one statement whose columns are the fields of a message. Times become text. */
export async function queryMessages<Message>(
  tx: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Message[]> {
  const rows = await tx.query<object>(sql, parameters);
  const spell = ([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ];
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(spell)) as Message);
}

/** How a transaction runs. */
interface TransactionOptions {
  /** Milliseconds a statement may take; 0 for no limit. */
  readonly statementTimeout?: number;
}

/** A database. Inside a transaction use the transaction's `query` alone; the database's own refuses. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres';
  /** Commits when the work returns, rolls back when it throws. Runs it again after a deadlock or a serialisation failure. */
  transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Reads one unchanging state, however long that takes; others go on meanwhile. Cannot write. */
  snapshot<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Several statements without parameters, in one transaction. For migrations. */
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot answer now: it is gone, restarting, or the statement took too long. Try again later. */
export class DatabaseUnavailable extends Error {
  /** A code of PostgreSQL: 08006 for a lost connection, 57014 for a statement that took too long. */
  readonly code: string;

  constructor(message: string, { code = '08006', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** Type ids of PostgreSQL whose values both drivers read in the same way. */
export const valueParsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1082: (text) => text,
  1114: (text) => new Date(`${text.replace(' ', 'T')}Z`),
  1184: (text) => new Date(text),
  1186: (text) => text,
  1700: Number,
};

/** A jsonb parameter: `$1::jsonb`. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

const REPEATABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 8;
/** The first pause before another attempt, in milliseconds; each later one is longer. */
const PAUSE = 5;

/** Runs a transaction again when it conflicts with another one. */
export async function retryTransaction<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !REPEATABLE.has(databaseCode(error) ?? '')) throw error;
      await wait(Math.random() * PAUSE * 2 ** attempts);
    }
  }
}

/** The error code of PostgreSQL, such as 23505 for a value that exists. */
export function databaseCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9][0-9A-Z]{4}$/.test(code) ? code : undefined;
}
