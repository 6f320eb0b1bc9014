import { basename } from 'node:path';
import { listCopies } from '../../store/index.ts';
import type { Check } from '../finding.ts';

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
