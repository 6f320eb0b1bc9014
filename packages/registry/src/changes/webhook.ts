// Webhooks of a namespace.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Webhook } from 'skillwright/registry-protocol';
import { notFound } from '../access/index.ts';
import { findManaged } from '../accounts/index.ts';
import { Failure, whyPrivate } from '../base/index.ts';
import { queryMessages } from '../store/index.ts';
import { change, type Handlers } from '../work/index.ts';

const MAX_WEBHOOKS = 20;

/** Header of a delivery: `sha256=<hex>`, the HMAC of the body under the webhook's secret. */
export const SIGNATURE_HEADER = 'skillwright-signature';

/** The value of the signature header. */
export function signDelivery(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export const webhookOperations = {
  createWebhook: ({ registry, caller, path, body: { url } }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const { id: ownerId } = await findManaged(tx, caller, path.owner);
      if (new URL(url).username !== '')
        throw new Failure('bad_request', 'leave the credentials out of the address');
      // Addresses that can be told to be private at once; names are resolved and checked at each delivery.
      const why = registry.settings.webhooksToPrivate ? undefined : whyPrivate(url);
      if (why !== undefined) throw new Failure('bad_request', `webhooks cannot reach this address: ${why}`);
      const known = await tx.query('select from webhooks where owner_id = $1', [ownerId]);
      if (known.length >= MAX_WEBHOOKS)
        throw new Failure('conflict', `a namespace has at most ${MAX_WEBHOOKS} webhooks`);
      const id = randomUUID();
      const secret = `skwh_${randomBytes(32).toString('base64url')}`;
      const now = registry.now();
      await tx.query(
        'insert into webhooks (id, owner_id, url, secret, account_id, created_at) values ($1, $2, $3, $4, $5, $6)',
        [id, ownerId, url, secret, caller.account?.id ?? null, now],
      );
      note('webhook.create', { ownerId, details: { id, host: new URL(url).host } });
      return { id, url, secret, created: now.toISOString(), failures: 0, disabled: null };
    }),

  async listWebhooks({ registry: { database }, caller, path }) {
    const { id: ownerId } = await findManaged(database, caller, path.owner);
    const webhooks = await queryMessages<Webhook>(
      database,
      'select id, url, created_at as created, failures, disabled from webhooks where owner_id = $1 order by created_at, id',
      [ownerId],
    );
    return { webhooks };
  },

  /** Removes a webhook and its waiting deliveries. */
  removeWebhook: ({ registry, caller, path: { owner, id } }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const { id: ownerId } = await findManaged(tx, caller, owner);
      const sql = 'delete from webhooks where id = $1 and owner_id = $2 returning id';
      if ((await tx.query(sql, [id, ownerId])).length === 0) throw notFound();
      note('webhook.remove', { ownerId, details: { id } });
    }),
} satisfies Partial<Handlers>;
