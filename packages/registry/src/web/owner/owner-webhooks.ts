// Webhooks of a namespace.

import {
  badge,
  codeBlock,
  day,
  emptyState,
  foreign,
  type Html,
  html,
  notice,
  table,
} from 'skillwright/pages';
import type { CreatedWebhook, Webhook } from 'skillwright/registry-protocol';
import { ownerHref } from '../addresses.ts';
import { formRoute } from '../forms/form-route.ts';
import { buttonForm, drawClosedForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { OwnerRoutes, OwnerView } from './owner-page.ts';

const webhookForm = pageForm('webhooks', 'createWebhook');

/** Routes of the forms. A new webhook is shown with its secret, once. */
export function webhookRoutes({ app, at, show, again, next }: OwnerRoutes): void {
  formRoute(app, `${at}/webhooks`, {
    form: webhookForm,
    again,
    next: { show: (context, frame, created) => show(context, frame, { created }) },
  });
  formRoute(app, `${at}/webhooks/:id/remove`, { form: 'removeWebhook', next });
}

/** The webhooks, and the one just made. */
export interface WebhooksView {
  readonly list: readonly Webhook[];
  readonly created?: CreatedWebhook | undefined;
}

/** The list and the form, for administrators. */
export function ownerWebhooks(
  { owner, webhooks, sent }: Pick<OwnerView, 'owner' | 'webhooks' | 'sent'>,
  frame: Frame,
): Html {
  if (webhooks === undefined) return html``;
  const { list, created } = webhooks;
  const href = `${ownerHref(owner.name)}/webhooks`;
  const fresh =
    created === undefined
      ? ''
      : notice('good', {
          title: 'The webhook is ready',
          body: html`<p>Deliveries are signed with this secret. It is not shown again.</p>${codeBlock(created.secret, { label: 'secret of the webhook' })}`,
        });
  const shown = table({
    caption: 'Webhooks',
    columns: [
      { title: 'Address' },
      { title: 'Since' },
      { title: 'State' },
      { title: 'Remove', isTitleHidden: true, kind: 'action' },
    ],
    rows: list.map(({ id, url, created: since, failures, disabled }) => [
      html`<span class="mono">${foreign(url)}</span>`,
      day(since),
      disabled !== null
        ? html`${badge('off', { tone: 'bad', sign: '✕' })} <span class="small">${foreign(disabled)}</span>`
        : failures > 0
          ? badge(`${failures} failed`, { tone: 'warn' })
          : badge('on', { tone: 'good', sign: '✓' }),
      buttonForm(frame, {
        action: `${href}/${encodeURIComponent(id)}/remove`,
        label: `Remove the webhook to ${url}`,
        button: 'Remove',
      }),
    ]),
    empty: emptyState('No webhooks', 'An address listed here is told about every publication and change.'),
  });
  const add = drawClosedForm('Add a webhook', webhookForm, {
    frame,
    action: href,
    sent,
    button: 'Add webhook',
  });
  return html`<section class="stack"><h2>Webhooks</h2>${fresh}${shown}${add}</section>`;
}
