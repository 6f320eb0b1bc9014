// Values from a PostgreSQL server in the same form as from the embedded one.

import pg from 'pg';
import { valueParsers } from './database.ts';

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
export const postgresTypes = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parserOf(id)) || pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig;
