import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Check } from '../finding.ts';

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
