import { type Check, ok, warning } from '../finding.ts';

/** No webhook was switched off. */
export const checkWebhooks: Check = async ({ database }) => {
  const webhooks = await database.query<{ owner: string; url: string; disabled: string | null }>(
    'select o.name as owner, w.url, w.disabled from webhooks w join owners o on o.id = w.owner_id order by w.created_at',
  );
  if (webhooks.length === 0) return [];
  const off = webhooks.filter(({ disabled }) => disabled !== null);
  if (off.length === 0) return [ok('webhooks', `all ${webhooks.length} are on`)];
  return off.map(({ owner, url, disabled }) =>
    warning(
      'webhooks',
      `the one of @${owner} to ${new URL(url).host} is ${disabled}`,
      `remove it and add it again on the page /@${owner}`,
    ),
  );
};

/** Mirrors reach their sources. */
export const checkMirrors: Check = async ({ database }) => {
  const mirrors = await database.query<{ id: number; source: string; failure: string | null }>(
    'select id, source, failure from mirrors order by id',
  );
  if (mirrors.length === 0) return [];
  const failed = mirrors.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return [ok('mirrors', `the last runs of ${mirrors.length} reached their sources`)];
  return failed.map(({ id, source, failure }) =>
    warning(
      'mirrors',
      `${source} fails: ${failure}`,
      `after a repair run: skillwright-registry mirror sync ${id}; or remove it: skillwright-registry mirror remove ${id}`,
    ),
  );
};
