// Classifies SQLite errors of a log.

/** Primary result code of an SQLite error; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR')
    return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : 1;
}

/** True for every SQLite error. */
export const isLogError = (error: unknown) => resultCode(error) !== undefined;

/** Another process holds the lock. */
export const isBusy = (error: unknown) => [5, 6].includes(resultCode(error) ?? 0);

/** The file is damaged or not a database. */
export const isCorrupt = (error: unknown) => [11, 26].includes(resultCode(error) ?? 0);

/** The file could not be opened, for instance because its directory is missing. */
export const isNotOpened = (error: unknown) => resultCode(error) === 14;

/** The directory is not writable, not even for the files that readers share. */
export const isReadOnly = (error: unknown) => resultCode(error) === 8;
