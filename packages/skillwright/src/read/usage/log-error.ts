// What SQLite's failures mean for a log.

/** The primary result code of an error that SQLite raised; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR')
    return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : 1;
}

/** True for whatever SQLite throws. */
export const isLogError = (error: unknown) => resultCode(error) !== undefined;

/** Somebody else has the lock. */
export const isBusy = (error: unknown) => [5, 6].includes(resultCode(error) ?? 0);

/** The file is damaged, or is no database at all. */
export const isCorrupt = (error: unknown) => [11, 26].includes(resultCode(error) ?? 0);

/** The file could not be opened, for instance because its directory is missing. */
export const isNotOpened = (error: unknown) => resultCode(error) === 14;

/** Nothing can be written where the file is, not even what readers share. */
export const isReadOnly = (error: unknown) => resultCode(error) === 8;
