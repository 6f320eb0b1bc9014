// One row of the access log.

/** Log entry of an operation. */
export interface LoggedAccess {
  readonly command: string;
  readonly skill: string;
  readonly skill_path: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Error code, or null. */
  readonly error: string | null;
  readonly bytes: number;
  readonly tokens: number;
  readonly duration_ms: number;
}

/** An access with its time and working directory. */
export interface AccessRow extends LoggedAccess {
  /** RFC 3339 in UTC with milliseconds, so that rows sort as text. */
  readonly timestamp: string;
  readonly run_id: string;
  readonly cwd: string;
}

/** Columns of a row, in the order of `valuesOf`. */
const columns = [
  'timestamp',
  'run_id',
  'command',
  'skill',
  'skill_path',
  'cwd',
  'args',
  'error',
  'bytes',
  'tokens',
  'duration_ms',
] as const satisfies readonly (keyof AccessRow)[];

/** The statement that writes one row. */
export const insertRow = `INSERT INTO access_log (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

/** Values that `insertRow` binds. */
export function valuesOf(row: AccessRow): (string | number | null)[] {
  return columns.map((column) => {
    const value = row[column];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}
