// Webhooks of a namespace.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { CreatedWebhook, Webhook } from 'skillwright/registry-protocol';
import { type Caller, notFound, record } from '../access/index.ts';
import { findManaged } from '../accounts/index.ts';
import { Failure, whyPrivate } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { queryMessages } from '../store/index.ts';

const MAX_WEBHOOKS = 20;

/** Header of a delivery: `sha256=<hex>`, the HMAC of the body under the webhook's secret. */
export const SIGNATURE_HEADER = 'skillwright-signature';

/** The value of the signature header. */
export function signDelivery(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Adds a webhook to a namespace. */
export async function createWebhook(
  registry: Registry,
  caller: Caller,
  { owner, url }: { readonly owner: string; readonly url: string },
): Promise<CreatedWebhook> {
  const id = randomUUID();
  const secret = `skwh_${randomBytes(32).toString('base64url')}`;
  const created = registry.now();
  await registry.database.transaction(async (tx) => {
    const { id: ownerId } = await findManaged(tx, caller, owner);
    checkAddress(registry, url);
    const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(
      'select count(*) as count from webhooks where owner_id = $1',
      [ownerId],
    );
    if (count >= MAX_WEBHOOKS)
      throw new Failure('conflict', `a namespace has at most ${MAX_WEBHOOKS} webhooks`);
    await tx.query(
      'insert into webhooks (id, owner_id, url, secret, account_id, created_at) values ($1, $2, $3, $4, $5, $6)',
      [id, ownerId, url, secret, caller.account?.id ?? null, created],
    );
    await record(tx, caller, { action: 'webhook.create', ownerId, details: { id, host: new URL(url).host } });
  });
  return { id, url, secret, created: created.toISOString(), failures: 0, disabled: null };
}

/** The webhooks of a namespace. */
export async function listWebhooks(registry: Registry, caller: Caller, owner: string): Promise<Webhook[]> {
  const { id: ownerId } = await findManaged(registry.database, caller, owner);
  return queryMessages(
    registry.database,
    'select id, url, created_at as created, failures, disabled from webhooks where owner_id = $1 order by created_at, id',
    [ownerId],
  );
}

/** Removes a webhook and its waiting deliveries. */
export async function removeWebhook(
  registry: Registry,
  caller: Caller,
  { owner, id }: { readonly owner: string; readonly id: string },
): Promise<void> {
  await registry.database.transaction(async (tx) => {
    const { id: ownerId } = await findManaged(tx, caller, owner);
    const [row] = await tx.query('delete from webhooks where id = $1 and owner_id = $2 returning id', [
      id,
      ownerId,
    ]);
    if (row === undefined) throw notFound();
    await record(tx, caller, { action: 'webhook.remove', ownerId, details: { id } });
  });
}

/** Refuses addresses that can be told to be private at once. */
function checkAddress({ settings }: Registry, url: string): void {
  if (new URL(url).username !== '')
    throw new Failure('bad_request', 'leave the credentials out of the address');
  if (settings.webhooksToPrivate) return;
  const why = whyPrivate(url);
  if (why !== undefined) throw new Failure('bad_request', `webhooks cannot reach this address: ${why}`);
}
