import type { Check } from '../finding.ts';

/** No webhook was switched off. */
export const checkWebhooks: Check = async ({ database }) => {
  const webhooks = await database.query<{ owner: string; url: string; disabled: string | null }>(
    'select o.name as owner, w.url, w.disabled from webhooks w join owners o on o.id = w.owner_id order by w.created_at',
  );
  if (webhooks.length === 0) return [];
  const off = webhooks.filter(({ disabled }) => disabled !== null);
  if (off.length === 0) return [{ check: 'webhooks', state: 'ok', message: `all ${webhooks.length} are on` }];
  return off.map(({ owner, url, disabled }) => ({
    check: 'webhooks',
    state: 'warning',
    message: `the one of @${owner} to ${new URL(url).host} is ${disabled}`,
    fix: `remove it and add it again on the page /@${owner}`,
  }));
};
