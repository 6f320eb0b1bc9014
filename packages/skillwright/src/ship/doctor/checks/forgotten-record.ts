// Entries of the build record about deleted directories.

import { buildRecord } from '../../../skill/skill/index.ts';
import { defineCheck, FIX } from '../check.ts';

/** Newer entries stay: their disk may only be unmounted. */
const FORGOTTEN_MS = 30 * 24 * 60 * 60_000;

/** Reports entries of deleted projects. */
export const forgottenRecord = defineCheck({
  id: 'forgotten-record',
  group: 'left behind',
  summary: 'The record of files that skc made lists only existing directories.',
  find({ context, places }) {
    const { home } = context.workspace;
    const user = places.find(({ place }) => place.scope === 'user');
    if (user === undefined) return [];
    const record = buildRecord(home);
    const gone = record.forgotten(context.now().getTime() - FORGOTTEN_MS);
    if (gone.length === 0) return [];
    return [
      {
        severity: 'info' as const,
        subject: user.place.store.made,
        message: `${gone.length === 1 ? 'one entry is' : `${gone.length} entries are`} about missing directories, such as ${gone[0]}`,
        why: 'Their projects were deleted or moved more than 30 days ago.',
        fix: FIX,
        repair: {
          key: `forget ${user.place.store.made}`,
          run: () => {
            for (const path of record.forgotten(context.now().getTime() - FORGOTTEN_MS)) record.forget(path);
          },
        },
      },
    ];
  },
});
