// Sends deliveries to webhooks, at least once each. Any number of processes share the work.

import { SkillwrightError } from 'skillwright/base';
import { createFetcher, type Fetcher } from 'skillwright/ship';
import { anonymous, record, stillMay } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { SIGNATURE_HEADER, signDelivery } from './webhook.ts';

/** A process that dies while it sends leaves the delivery to others after this time. */
const LEASE_SECONDS = 60;
const MAX_ATTEMPTS = 8;
/** Deliveries in a row that fail for good before a webhook is switched off. */
const MAX_FAILURES = 5;
/** Deliveries under way at the same time, and those of one namespace among them. */
const AT_ONCE = 10;
const PER_OWNER = 2;
const TIMEOUT = 10_000;
const MAX_ANSWER = 64 * 1024;

interface DueDelivery {
  readonly id: number;
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
  readonly attempts: number;
  readonly auditId: number;
  readonly at: Date;
  readonly action: string;
  readonly actor: string;
  readonly owner: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Sends the deliveries that are due and returns how many it tried. Each answer makes room for the next one, so that a webhook
 * that answers slowly holds up no other. After `signal` it starts no more.
 */
export async function deliverWebhooks(
  registry: Registry,
  { fetcher, signal }: { readonly fetcher?: Fetcher; readonly signal?: AbortSignal } = {},
): Promise<number> {
  await disableAbandoned(registry);
  const send =
    fetcher ??
    createFetcher({ allowPrivate: registry.settings.webhooksToPrivate, timeout: TIMEOUT, retries: 0 });
  const drain = async (): Promise<number> => {
    const room = AT_ONCE - registry.delivering;
    if (signal?.aborted || room <= 0) return 0;
    // Claims that run at the same time share the room.
    registry.delivering += room;
    const due = await claim(registry, room).finally(() => {
      registry.delivering -= room;
    });
    registry.delivering += due.length;
    const tried = await Promise.all(
      due.map(async (delivery) => {
        await deliver(registry, delivery, send).finally(() => {
          registry.delivering -= 1;
        });
        return 1 + (await drain());
      }),
    );
    return tried.reduce((sum, count) => sum + count, 0);
  };
  return drain();
}

/** Webhooks of people who no longer manage the namespace stop. */
async function disableAbandoned({ database }: Registry): Promise<void> {
  await database.transaction(async (tx) => {
    const reason = 'the account that added it does not manage the namespace any more; add it again';
    const rows = await tx.query<{ id: string; ownerId: number }>(
      `update webhooks w set disabled = $1 where w.disabled is null and w.account_id is not null
         and not ${stillMay('manage', { account: 'w.account_id', owner: 'w.owner_id' })}
       returning w.id, w.owner_id as "ownerId"`,
      [reason],
    );
    for (const { id, ownerId } of rows)
      await record(
        tx,
        { ...anonymous, via: 'system' },
        { action: 'webhook.disable', ownerId, details: { id, reason } },
      );
  });
}

/** Claims come one after another, in whatever process: each one counts the deliveries that the others have taken. */
const CLAIMS = 7_235_002;

/** Takes deliveries for this process: of each webhook one at a time, and of each namespace a few. */
function claim({ database, now }: Registry, room: number): Promise<DueDelivery[]> {
  const at = now();
  return database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [CLAIMS]);
    return tx.query<DueDelivery>(
      `with under_way as (
         select w.id, w.owner_id from deliveries d join webhooks w on w.id = d.webhook_id where d.taken_until > $1
       ), due as (
         select d.id, row_number() over (partition by w.owner_id order by d.id)
           + (select count(*) from under_way u where u.owner_id = w.owner_id) as place
         from webhooks w cross join lateral (
           select d.id from deliveries d where d.webhook_id = w.id and d.delivered_at is null and d.next_at <= $1
             and d.attempts < ${MAX_ATTEMPTS} order by d.id limit 1) d
         where w.disabled is null and w.id not in (select id from under_way)
       ), taken as (
         update deliveries d set attempts = d.attempts + 1, taken_until = $2
         where d.id in (select id from due where place <= ${PER_OWNER} order by place, id limit $3)
         returning d.id, d.webhook_id, d.audit_id, d.attempts
       )
       select t.id, w.id as "webhookId", w.url, w.secret, t.attempts, a.id as "auditId", a.at, a.action, a.actor,
         o.name as owner, s.name, a.version, a.details
       from taken t join webhooks w on w.id = t.webhook_id join audit a on a.id = t.audit_id
         join owners o on o.id = a.owner_id left join skills s on s.id = a.skill_id order by t.id`,
      [at, new Date(at.getTime() + LEASE_SECONDS * 1000), room],
    );
  });
}

async function deliver(registry: Registry, delivery: DueDelivery, fetcher: Fetcher): Promise<void> {
  const body = JSON.stringify(payloadOf(delivery));
  try {
    await fetcher.send(delivery.url, {
      method: 'POST',
      body: Buffer.from(body),
      maxBytes: MAX_ANSWER,
      timeout: TIMEOUT,
      headers: {
        'content-type': 'application/json',
        'skillwright-delivery': String(delivery.id),
        [SIGNATURE_HEADER]: signDelivery(delivery.secret, body),
      },
    });
  } catch (error) {
    await noteFailure(registry, delivery, error instanceof SkillwrightError ? error.message : String(error));
    return;
  }
  await registry.database.transaction(async (tx) => {
    await tx.query(
      'update deliveries set delivered_at = $2, taken_until = null, error = null where id = $1',
      [delivery.id, registry.now()],
    );
    await tx.query('update webhooks set failures = 0 where id = $1', [delivery.webhookId]);
  });
}

/** The body of a delivery. */
function payloadOf({ id, auditId, at, action, actor, owner, name, version, details }: DueDelivery) {
  return {
    delivery: id,
    event: auditId,
    action,
    time: at.toISOString(),
    actor,
    owner,
    skill: name === null ? null : `@${owner}/${name}`,
    version,
    details,
  };
}

/** Tries again later and later; after the last attempt it counts against the webhook. */
async function noteFailure({ database, now }: Registry, delivery: DueDelivery, error: string): Promise<void> {
  const isLast = delivery.attempts >= MAX_ATTEMPTS;
  const wait = 15_000 * 4 ** Math.min(delivery.attempts - 1, 6);
  await database.transaction(async (tx) => {
    await tx.query('update deliveries set error = $2, next_at = $3, taken_until = null where id = $1', [
      delivery.id,
      error.slice(0, 500),
      new Date(now().getTime() + wait),
    ]);
    if (!isLast) return;
    const [webhook] = await tx.query<{ disabled: string | null; ownerId: number }>(
      `update webhooks set failures = failures + 1, disabled = case when failures + 1 >= ${MAX_FAILURES} then $2 else null end
         where id = $1 and disabled is null returning disabled, owner_id as "ownerId"`,
      [
        delivery.webhookId,
        `switched off after ${MAX_FAILURES} deliveries failed ${MAX_ATTEMPTS} times each; the last error: ${error.slice(0, 300)}`,
      ],
    );
    if (webhook?.disabled == null) return;
    const { ownerId, disabled: reason } = webhook;
    const details = { id: delivery.webhookId, reason };
    await record(tx, { ...anonymous, via: 'system' }, { action: 'webhook.disable', ownerId, details });
  });
}
