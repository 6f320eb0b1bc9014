import type { Check } from '../finding.ts';

/** Mirrors reach their sources. */
export const checkMirrors: Check = async ({ database }) => {
  const mirrors = await database.query<{ id: number; source: string; failure: string | null }>(
    'select id, source, failure from mirrors order by id',
  );
  if (mirrors.length === 0) return [];
  const failing = mirrors.filter(({ failure }) => failure !== null);
  if (failing.length === 0)
    return [
      { check: 'mirrors', state: 'ok', message: `the last runs of ${mirrors.length} reached their sources` },
    ];
  return failing.map(({ id, source, failure }) => ({
    check: 'mirrors',
    state: 'warning',
    message: `${source} fails: ${failure}`,
    fix: `after a repair run: skillwright-registry mirror sync ${id}; or remove it: skillwright-registry mirror remove ${id}`,
  }));
};
