// A PostgreSQL server, for a registry of any number of processes.

import { createHash } from 'node:crypto';
import pg from 'pg';
import { describeSystemError } from 'skillwright/base';
import { Problem } from '../base/index.ts';
import {
  type Database,
  DatabaseUnavailable,
  databaseCode,
  retryTransaction,
  valueParsers,
} from './database.ts';
import { type Connection, createTransactionScope, runTransaction } from './run-transaction.ts';

/** How the server is used. */
interface PostgresOptions {
  /** Connections of this process. */
  readonly connections?: number;
  /** Milliseconds a statement may take. */
  readonly statementTimeout?: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeout?: number;
}

/** Opens a pool of connections. It connects at the first query, and again after the server was away. */
export function openPostgres(
  connectionString: string,
  { connections = 10, statementTimeout = 30_000, connectTimeout = 10_000 }: PostgresOptions = {},
): Database {
  const place = placeOf(connectionString);
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    types: postgresTypes,
    application_name: 'skillwright-registry',
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: statementTimeout,
    keepAlive: true,
  });
  // A connection that breaks while idle is replaced at the next query.
  pool.on('error', () => {});
  const scope = createTransactionScope();
  const prepared = new Map<string, string>();

  /** Runs the work on a connection of its own, and drops the connection if it broke. */
  const connect = async <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    scope.demandOutside();
    const client = await pool.connect().catch((error: unknown) => {
      const unavailable = asUnavailable(error, place);
      if (unavailable !== undefined) throw unavailable;
      throw new Problem(
        `PostgreSQL at ${place} refuses the connection: ${(error as Error).message}. Correct DATABASE_URL: postgres://<user>:<password>@<host>:<port>/<database>`,
        { cause: error },
      );
    });
    let broken: Error | undefined;
    const breaks = (error: Error) => {
      broken = error;
    };
    client.on('error', breaks);
    const send = async (query: pg.QueryConfig): Promise<pg.QueryResult> => {
      try {
        return await client.query(query);
      } catch (error) {
        const unavailable = asUnavailable(error);
        if (unavailable !== undefined && unavailable.code !== '57014') broken ??= unavailable;
        if (isOutdatedPlan(error)) broken ??= error as Error;
        throw unavailable ?? error;
      }
    };
    try {
      return await work({
        query: async <Row>(text: string, values: readonly unknown[] = []) =>
          (await send({ text, values: [...values], ...preparedName(text, prepared) })).rows as Row[],
        run: async (text) => {
          await send({ text });
        },
      });
    } finally {
      client.off('error', breaks);
      client.release(broken);
    }
  };

  return {
    kind: 'postgres',
    query: (sql, parameters) => retryOutdated(() => connect((own) => own.query(sql, parameters))),
    transaction: (work, { statementTimeout: limit } = {}) =>
      retryOutdated(() =>
        retryTransaction(() =>
          connect((own) =>
            runTransaction(
              own,
              async (tx) => {
                if (limit !== undefined) await own.run(`set local statement_timeout = ${Math.trunc(limit)}`);
                return work(tx);
              },
              { scope },
            ),
          ),
        ),
      ),
    snapshot: (work) =>
      connect((own) =>
        runTransaction(
          own,
          async (tx) => {
            await own.run(UNLIMITED);
            return work(tx);
          },
          { scope, isSnapshot: true },
        ),
      ),
    run: (sql) => connect((own) => runTransaction(own, () => own.run(sql), { scope })),
    close: () => pool.end(),
  };
}

/** Host and port, or the directory of a socket; never the password. */
function placeOf(connectionString: string): string {
  try {
    const { host, port } = new pg.Client({ connectionString });
    return host.startsWith('/') ? host : `${host}:${port}`;
  } catch (cause) {
    throw new Problem(
      'DATABASE_URL is not the address of a PostgreSQL: postgres://<user>:<password>@<host>:<port>/<database>',
      { cause },
    );
  }
}

/** The reader may be slow. */
const UNLIMITED = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/** Statements of the program itself are few; texts made at run time beyond this number are not kept on the server. */
const MAX_PREPARED = 500;

/** A name makes the server keep the statement's plan. Schema changes and the like are sent as they are. */
function preparedName(text: string, prepared: Map<string, string>): { readonly name?: string } {
  const known = prepared.get(text);
  if (known !== undefined) return { name: known };
  if (prepared.size >= MAX_PREPARED || !/^\s*(?:select|insert|update|delete|with)\b/i.test(text)) return {};
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  prepared.set(text, name);
  return { name };
}

/** A kept plan no longer fits after another process changed the schema. */
function isOutdatedPlan(error: unknown): boolean {
  return databaseCode(error) === '0A000' && (error as Error).message.includes('cached plan');
}

/** Tries again on a new connection, where nothing is prepared. */
async function retryOutdated<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
    }
  }
}

/** Shutting down, starting, too many connections, a statement that took too long. */
const UNAVAILABLE = /^(?:08...|57P0.|57014|53[34]00)$/;
const DISCONNECTED =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** The driver has no code for these. */
const DISCONNECTED_MESSAGE = /^Connection terminated|timeout exceeded when trying to connect|not queryable/;

function asUnavailable(error: unknown, place?: string): DatabaseUnavailable | undefined {
  if (error instanceof DatabaseUnavailable) return error;
  const code = databaseCode(error);
  if (code !== undefined)
    return UNAVAILABLE.test(code)
      ? new DatabaseUnavailable((error as Error).message, { code, cause: error })
      : undefined;
  const { code: reason = '', message = '' } = error as { code?: string; message?: string };
  if (!DISCONNECTED.test(reason) && !DISCONNECTED_MESSAGE.test(message)) return undefined;
  const where = place === undefined ? '' : ` at ${place}`;
  return new DatabaseUnavailable(
    `PostgreSQL${where} cannot be reached: ${reason === '' ? message : describeSystemError(error)}. Start it, or correct DATABASE_URL`,
    { cause: error },
  );
}

/** Array types by the type of their elements: int8, date, timestamp, timestamptz, interval, numeric. */
const arraysOf: Readonly<Record<number, number>> = {
  1016: 20,
  1115: 1114,
  1182: 1082,
  1185: 1184,
  1187: 1186,
  1231: 1700,
};

const TEXT_ARRAY = 1009;

function parserOf(id: number): ((text: string) => unknown) | undefined {
  const element = valueParsers[arraysOf[id] ?? -1];
  if (element === undefined) return valueParsers[id];
  const split = (pg.types.getTypeParser as (id: number) => (text: string) => (string | null)[])(TEXT_ARRAY);
  return (text) => split(text).map((entry) => (entry === null ? null : element(entry)));
}

/** Parsers for the driver. */
const postgresTypes = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parserOf(id)) || pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig;
