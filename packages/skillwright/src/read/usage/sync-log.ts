// Merges the rows of a local log into the log of their skill.

import * as z from 'zod';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { isMissing, readRegularFile } from '../../base/files/index.ts';
import { type AccessRow, addRows, type LogOwner, type LogWriter, logPath, readLog } from './access-log.ts';
import { linesFiles, localLogDirectory, removeLocalLog, takeLocalLog } from './write-access.ts';

/** Options of a sync. */
export interface SyncOptions extends LogWriter {
  /** The runtime directory of the skill with this source directory, else of this name. E001 when there is neither. */
  locate(path: string, name: string): Promise<string>;
  readonly dryRun: boolean;
  /** Handling of rows whose skill is gone: keep them, merge them into the log of this runtime directory, or delete them. */
  readonly gone: 'leave' | 'drop' | { readonly runtime: string };
  /** Called with the result. */
  progress(step: 'taken' | 'committed' | 'removed'): void;
}

/** Result for one local log. */
interface SyncedLog {
  skill: string;
  /** Path of the local log. */
  source: string;
  /** Logs the rows were merged into. */
  destinations: string[];
  /** Rows that were, or would be, merged. */
  rows: number;
  /** Rows that were merged before. */
  known: number;
  /** Invalid lines. */
  damaged: number;
  /** Rows of missing skills, which stay. */
  left: number;
  /** Rows of missing skills that were, or would be, deleted. */
  dropped: number;
}

/**
 * Merges the local log of a skill below `base`. Merges each row once, even when a sync is killed and run again;
 * deletes the local log when every row was merged or dropped. E041 and E042 leave it unchanged.
 */
export async function syncLog(base: string, skill: string, options: SyncOptions): Promise<SyncedLog> {
  const source = localLogDirectory(base, skill);
  const { files, rows, damaged } = takeRows(source, options);
  const result: SyncedLog = {
    skill,
    source,
    destinations: [],
    rows: 0,
    known: 0,
    damaged,
    left: 0,
    dropped: 0,
  };
  const failures: unknown[] = [];
  // Skills of one name share a local log, but not always a runtime directory.
  for (const group of Map.groupBy(rows, ({ row }) => row.skill_path).values()) {
    try {
      const runtime = await locateOrGone(group[0]!.row.skill_path, skill, options);
      if (runtime === 'leave') result.left += group.length;
      if (runtime === 'drop') result.dropped += group.length;
      if (runtime === 'leave' || runtime === 'drop') continue;
      const path = logPath(runtime.runtime);
      const { added, known } = options.dryRun
        ? countNew({ runtime: runtime.runtime, home: options.home }, group)
        : deliver(path, group, options);
      result.destinations.push(path);
      result.rows += added;
      result.known += known;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  if (options.dryRun) return result;
  options.progress('committed');
  // Merged rows are known by id, so the remaining ones can stay in the same file.
  if (result.left > 0) return result;
  removeLocalLog(source, files);
  options.progress('removed');
  return result;
}

/** The runtime directory of rows, or their fate without one. */
async function locateOrGone(path: string, name: string, options: SyncOptions): Promise<SyncOptions['gone']> {
  try {
    return { runtime: await options.locate(path, name) };
  } catch (error) {
    if (error instanceof SkillwrightError && error.code === 'E001') return options.gone;
    throw error;
  }
}

function takeRows(source: string, { dryRun, now, progress }: SyncOptions) {
  let path = source;
  try {
    const files = dryRun ? linesFiles(source) : takeLocalLog(source, now);
    progress('taken');
    const read = files.map((file) => {
      path = file;
      return readLocalRows(file);
    });
    return {
      files,
      rows: read.flatMap(({ rows }) => rows),
      damaged: read.reduce((sum, file) => sum + file.damaged, 0),
    };
  } catch (error) {
    throw isMissing(error)
      ? SkillwrightError.of('E040', {})
      : SkillwrightError.of('E042', { path }, { cause: error });
  }
}

function deliver(path: string, rows: readonly IdentifiedRow[], writer: LogWriter) {
  try {
    return addRows(path, rows, writer);
  } catch (error) {
    throw SkillwrightError.of('E041', { path }, { cause: error });
  }
}

function countNew(log: LogOwner, rows: readonly IdentifiedRow[]): { added: number; known: number } {
  const uids = new Set(rows.map(({ uid }) => uid));
  const query = 'SELECT count(*) AS known FROM synced_row WHERE uid IN (SELECT value FROM json_each(?))';
  const read = readLog(log, (database) => database.prepare(query).get(JSON.stringify([...uids])));
  const added = uids.size - Number(read?.known ?? 0);
  return { added, known: rows.length - added };
}

// Reads the lines of a local log. The file is in a working directory, so its content is untrusted.

/** Size limit; months of accesses are far smaller. */
const MAX_LINES_BYTES = 256 * 1024 * 1024;

const LocalRow = z.object({
  uid: z.uuid(),
  timestamp: z.iso.datetime({ precision: 3 }),
  run_id: z.string(),
  command: z.string(),
  skill: z.string(),
  skill_path: z.string(),
  cwd: z.string(),
  args: z.record(z.string(), z.unknown()),
  error: z.string().nullable(),
  bytes: z.number().int(),
  tokens: z.number().int(),
  duration_ms: z.number(),
});

/** A row and its id. */
interface IdentifiedRow {
  readonly uid: string;
  readonly row: AccessRow;
}

/** The rows of a file, and the number of invalid lines. Throws file system errors. */
function readLocalRows(path: string): { rows: IdentifiedRow[]; damaged: number } {
  const rows: IdentifiedRow[] = [];
  let damaged = 0;
  const text = readRegularFile(path, { maxBytes: MAX_LINES_BYTES })?.toString('utf8') ?? '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = LocalRow.safeParse(orUndefined(() => JSON.parse(line)));
    if (parsed.success) {
      const { uid, ...row } = parsed.data;
      rows.push({ uid, row });
    } else damaged += 1;
  }
  return { rows, damaged };
}
