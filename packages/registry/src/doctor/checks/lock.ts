import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { listCopies, readHolder } from '../../store/index.ts';
import type { Check } from '../finding.ts';

/** This process has the data directory. */
export const checkLock: Check = async ({ database, settings }) => {
  if (database.kind !== 'embedded') return [];
  const holder = readHolder(settings.data);
  if (holder?.pid === process.pid)
    return [
      {
        check: 'lock',
        state: 'ok',
        message: `process ${holder.pid} on ${holder.host} since ${holder.since}`,
      },
    ];
  return [
    {
      check: 'lock',
      state: 'error',
      message: `${holder === undefined ? 'nobody' : `process ${holder.pid} on ${holder.host}`} is noted as the user of ${settings.data}, but process ${process.pid} has the database open`,
      fix: 'stop every process that uses this directory and start one; the file system must support locks',
    },
  ];
};

/** The embedded database has a copy to go back to. */
export const checkCopies: Check = async ({ database, settings }) => {
  if (database.kind !== 'embedded') return [];
  if (settings.copies === 0)
    return [{ check: 'copies', state: 'warning', message: 'copies are off', fix: 'set --copies 3' }];
  const [newest] = await listCopies(settings.data);
  return [
    newest === undefined
      ? { check: 'copies', state: 'ok', message: 'none yet; a running server makes them' }
      : { check: 'copies', state: 'ok', message: `the newest is ${basename(newest)}` },
  ];
};

const LEAST_BYTES = 1024 ** 3;

/** The disk of the data directory has room. */
export const checkDisk: Check = async ({ settings }) => {
  if (!existsSync(settings.data)) return [];
  const { bavail, bsize } = await statfs(settings.data);
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${settings.data}`;
  return [
    free >= LEAST_BYTES
      ? { check: 'disk', state: 'ok', message }
      : { check: 'disk', state: 'warning', message, fix: 'free at least 1 GiB' },
  ];
};
