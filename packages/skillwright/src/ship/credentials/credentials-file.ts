// `~/.skillc/credentials.json`: who is logged in where, and the tokens that no keyring holds. Others cannot read it.

import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  describeSystemError,
  isMissing,
  systemErrorCode,
  writeError,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { lockFile } from '../../base/sqlite/index.ts';
import { keyringPrograms } from './keyring.ts';

const MAX_BYTES = 256 * 1024;

/** One login: the token itself, or the keyring that holds it. */
export const LoginEntry = z.object({
  registry: z.string().min(1),
  account: z.string(),
  expires: z.string().nullable(),
  token: z.string().min(1).optional(),
  keyring: z.enum(keyringPrograms).optional(),
});
export type LoginEntry = z.output<typeof LoginEntry>;

const CredentialsFile = z.object({ version: z.literal(1), logins: z.array(LoginEntry) });

/** All logins; none without a file. E246 when others could have read or written the file, or it is damaged. */
export function readLogins(path: string): LoginEntry[] {
  const text = readPrivately(path);
  if (text === undefined) return [];
  const help = `log in again after you remove it: rm ${quoteWord(path)}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The text of the error would quote the file, and with it a token.
    throw unusable(path, 'not JSON', help);
  }
  const parsed = CredentialsFile.safeParse(value);
  if (!parsed.success) throw unusable(path, 'not a list of logins that this skc understands', help);
  return parsed.data.logins;
}

/** Changes the list of logins, one process at a time. E246 as for reading, E016 when it cannot be written. */
export function changeLogins(path: string, change: (logins: LoginEntry[]) => LoginEntry[]): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeError(path, error);
  }
  const unlock = lockFile(path);
  try {
    const before = readLogins(path);
    checkDirectory(path);
    const logins = change(before);
    writeFileAtomic(path, `${JSON.stringify({ version: 1, logins }, null, 2)}\n`, { mode: 0o600 });
  } finally {
    unlock();
  }
}

/** The text of a file that only this user can read and write; undefined when there is none. */
function readPrivately(path: string): string | undefined {
  let descriptor: number;
  try {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (systemErrorCode(error) === 'ELOOP')
      throw unusable(
        path,
        'it is a link',
        `replace the link with a file, or remove it: rm ${quoteWord(path)}`,
      );
    throw unusable(path, describeSystemError(error));
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw unusable(path, 'not a regular file');
    if (status.size > MAX_BYTES) throw unusable(path, 'too large');
    if (isOfAnotherUser(status.uid)) throw unusable(path, 'it belongs to another user');
    if (hasModes && (status.mode & 0o077) !== 0)
      throw unusable(
        path,
        'other users can read it',
        `create new tokens if others use this machine, then: chmod 600 ${quoteWord(path)}`,
      );
    checkDirectory(path);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** E246 when other users could put a file of theirs in the place of this one. */
function checkDirectory(path: string): void {
  const dir = dirname(path);
  const { uid, mode } = statSync(dir);
  if (isOfAnotherUser(uid)) throw unusable(path, `the directory ${dir} belongs to another user`);
  if (hasModes && (mode & 0o002) !== 0)
    throw unusable(path, `every user can write to ${dir}`, `chmod o-w ${quoteWord(dir)}`);
}

/** Windows has neither owners nor modes of this kind; the home directory is private there. */
const hasModes = process.platform !== 'win32';

function isOfAnotherUser(uid: number): boolean {
  return hasModes && process.getuid !== undefined && uid !== process.getuid();
}

function unusable(path: string, why: string, help?: string): SkillwrightError {
  return SkillwrightError.of('E246', { path, why }, { help, data: { path, why } });
}
