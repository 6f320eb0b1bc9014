// Answers for errors that are not failures of the operation itself.

import { systemErrorCode } from 'skillwright/base';
import { Failure } from '../base/index.ts';
import { DatabaseUnavailable, databaseCode } from '../store/index.ts';

/** Seconds after which a caller may try again. */
const RETRY_AFTER = '2';

/** Seconds for a disk that somebody has to clean up. */
const FULL_RETRY_AFTER = '300';

const DISK_FULL = '53100';
const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** Other transactions stood in the way too often. */
const BUSY = new Set(['40001', '40P01', '55P03']);
/** Text PostgreSQL cannot keep: a NUL, or half of a surrogate pair in JSON. */
const BAD_TEXT = new Set(['22021', '22P05']);

/** The failure to report; undefined for a bug. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  const code = databaseCode(error);
  if (error instanceof DatabaseUnavailable)
    return new Failure(
      'unavailable',
      code === '57014'
        ? 'this took too long; try again later or ask for less'
        : 'the database is not available; try again in a moment',
      { headers: { 'retry-after': RETRY_AFTER } },
    );
  if (code === DISK_FULL || FULL.has(systemErrorCode(error) ?? ''))
    return new Failure('unavailable', 'the disk of the registry is full; tell its administrators', {
      headers: { 'retry-after': FULL_RETRY_AFTER },
    });
  if (code !== undefined && BUSY.has(code))
    return new Failure('unavailable', 'too many changes at once; try again soon', {
      headers: { 'retry-after': RETRY_AFTER },
    });
  if (code !== undefined && BAD_TEXT.has(code))
    return new Failure('bad_request', 'the request has characters that cannot be stored, such as NUL');
  return undefined;
}
