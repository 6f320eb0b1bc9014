import { readHolder } from '../../store/index.ts';
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
