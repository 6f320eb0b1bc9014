// Shared by every room: failures, secrets, digests, names, work directories, lines of the log.

export { Failure, Problem } from './failure.ts';
export { createLog, describeError, type Log } from './log-lines.ts';
export { whyPrivate } from './private-host.ts';
export {
  digestOf,
  hashSecret,
  isSameSecret,
  isTokenShaped,
  newSecret,
  newTokenSecret,
  TOKEN_PREFIX,
} from './secrets.ts';
export { sweepWorkDirectories, withWorkDirectory } from './work-directory.ts';
