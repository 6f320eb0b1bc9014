// Failures of the operating system, in words and as coded errors.

import { messageOf, SkillwrightError } from '../diagnostics/index.ts';

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EEXIST: 'already exists',
  ENOTEMPTY: 'the directory is not empty',
  EXDEV: 'on another file system',
  EBUSY: 'in use',
  EIO: 'input/output error',
  EINVAL: 'the name is not allowed here',
  ENOTSUP: 'not supported here',
  UNKNOWN: 'the system gave no reason',
  ERR_INVALID_ARG_VALUE: 'the name is not allowed here',
};

/** Codes of Node's own that say something about the user's files. Its other `ERR_…` codes mean a bug in the caller. */
const fileErrors = /^(?:ERR_INVALID_ARG_VALUE|ERR_FS_\w+)$/;

/** The `code` of a system error such as `ENOENT`, or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code !== 'string') return undefined;
  return /^(?:E(?!RR_)[A-Z_]+|UNKNOWN)$/.test(code) || fileErrors.test(code) ? code : undefined;
}

/** True when nothing is there: the path or one of its directories does not exist. */
export function isMissing(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** A short reason a person understands. */
export function describeSystemError(error: unknown): string {
  const code = systemErrorCode(error);
  if (code !== undefined) return words[code] ?? code;
  return messageOf(error);
}

/** The coded error for a failed read. Other errors are bugs and are returned unchanged. */
export function readError(path: string, error: unknown): unknown {
  if (systemErrorCode(error) === undefined) return error;
  return SkillwrightError.of('E015', { path, why: describeSystemError(error) }, { cause: error });
}

/** The coded error for a failed write. Other errors are bugs and are returned unchanged. */
export function writeError(path: string, error: unknown): unknown {
  if (systemErrorCode(error) === undefined) return error;
  return SkillwrightError.of('E016', { path, why: describeSystemError(error) }, { cause: error });
}
