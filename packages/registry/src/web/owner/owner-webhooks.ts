// Webhooks of a namespace.

import {
  badge,
  codeBlock,
  day,
  emptyState,
  field,
  foreign,
  form,
  type Html,
  html,
  notice,
  submit,
  table,
} from 'skillwright/pages';
import type { CreatedWebhook, Webhook } from 'skillwright/registry-protocol';
import { ownerHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { filledIn } from '../sent-form.ts';
import type { OwnerView } from './owner-page.ts';

/** The webhooks, and the one just made. */
export interface WebhooksView {
  readonly list: readonly Webhook[];
  readonly created?: CreatedWebhook | undefined;
}

/** The list and the form, for administrators. */
export function ownerWebhooks(
  { owner, webhooks, sent }: Pick<OwnerView, 'owner' | 'webhooks' | 'sent'>,
  { csrf }: Frame,
): Html {
  if (webhooks === undefined) return html``;
  const { list, created } = webhooks;
  const href = `${ownerHref(owner.name)}/webhooks`;
  const again = filledIn(sent, 'webhooks');
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
      form({
        action: `${href}/${encodeURIComponent(id)}/remove`,
        csrf,
        isInline: true,
        label: `Remove the webhook to ${url}`,
        content: submit('Remove', { kind: 'danger' }),
      }),
    ]),
    empty: emptyState('No webhooks', 'An address listed here is told about every publication and change.'),
  });
  const add = html`<details class="card"${again.isSent ? html` open` : ''}><summary>Add a webhook</summary>${form(
    {
      action: href,
      csrf,
      content: html`${field({ name: 'url', label: 'Address', type: 'url', hint: 'It gets a signed POST request for every change', isRequired: true, maxLength: 1000, ...again.text('url') })}${submit('Add webhook')}`,
    },
  )}</details>`;
  return html`<section class="stack"><h2>Webhooks</h2>${fresh}${shown}${add}</section>`;
}
