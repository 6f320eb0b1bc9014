// Single accesses of a log: the latest ones, or those after a known one.

import type { DatabaseSync } from 'node:sqlite';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { type LogOwner, readLog } from './open-log.ts';

/** One access. Anyone can write to a log, so every field is checked. */
export interface ReadAccess {
  /** Rises with every access of one log. */
  readonly id: number;
  readonly timestamp: string;
  readonly run: string;
  readonly command: string;
  readonly skill: string;
  readonly path: string;
  readonly cwd: string;
  /** The section, file, directory or query that was asked for. */
  readonly subject: string | null;
  /** Files it read or asked for. */
  readonly files: readonly string[];
  readonly error: string | null;
  readonly tokens: number;
  readonly durationMs: number;
}

/**
 * Accesses of a log in order, at most `limit`: those after the id `after`, or without it the latest. Empty without a log;
 * E015 when it cannot be read.
 */
export function readAccesses(
  owner: LogOwner,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
): ReadAccess[] {
  return readLog(owner, (database) => readRows(database, after, limit)) ?? [];
}

function readRows(database: DatabaseSync, after: number | undefined, limit: number): ReadAccess[] {
  const columns =
    'id, timestamp, run_id, command, skill, skill_path, cwd, args, error, tokens, duration_ms FROM access_log';
  const rows =
    after === undefined
      ? database.prepare(`SELECT ${columns} ORDER BY id DESC LIMIT ?`).all(limit).reverse()
      : database.prepare(`SELECT ${columns} WHERE id > ? ORDER BY id LIMIT ?`).all(after, limit);
  return rows.map((row) => ({
    id: Number(row.id),
    timestamp: String(row.timestamp),
    run: String(row.run_id),
    command: String(row.command),
    skill: String(row.skill),
    path: String(row.skill_path),
    cwd: String(row.cwd),
    ...requestIn(String(row.args)),
    error: row.error === null ? null : String(row.error),
    tokens: Number(row.tokens) || 0,
    durationMs: Number(row.duration_ms) || 0,
  }));
}

function requestIn(args: string): Pick<ReadAccess, 'subject' | 'files'> {
  const value: unknown = orUndefined(() => JSON.parse(args));
  if (typeof value !== 'object' || value === null) return { subject: null, files: [] };
  const { section, path, query, dir, file, sections, files } = value as Record<string, unknown>;
  const texts = (list: unknown) => [list].flat().filter((item) => typeof item === 'string');
  const places = [sections].flat().flatMap((item) => texts((item as { file?: unknown } | undefined)?.file));
  const words = texts(query).join(' ');
  const subject = texts(section)[0] ?? texts(path)[0] ?? (words === '' ? undefined : words) ?? texts(dir)[0];
  return {
    subject: subject ?? null,
    files: [...new Set([...places, ...texts(files), ...texts(file), ...texts(path)])],
  };
}
