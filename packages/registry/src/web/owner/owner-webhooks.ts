// Webhooks of a namespace.

import {
  actionColumn,
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
import { ownerHref } from '../addresses.ts';
import type { FormRow } from '../forms/form-route.ts';
import { buttonForm, drawClosedForm, madeBy, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { OwnerView } from './owner-page.ts';

const webhookForm = pageForm('webhooks', 'createWebhook');

/** Forms of the page at a path. A new webhook is shown with its secret, once. */
export const webhookForms = (at: string): readonly FormRow[] => [
  { path: `${at}/webhooks`, form: webhookForm, next: 'made' },
  { path: `${at}/webhooks/:id/remove`, form: 'removeWebhook' },
];

/** The list and the form, for administrators. */
export function ownerWebhooks(
  { owner, webhooks: list }: Pick<OwnerView, 'owner' | 'webhooks'>,
  frame: Frame,
): Html {
  if (list === undefined) return html``;
  const created = madeBy(webhookForm, frame);
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
    columns: ['Address', 'Since', 'State', actionColumn('Remove')],
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
    button: 'Add webhook',
  });
  return html`<section class="stack"><h2>Webhooks</h2>${fresh}${shown}${add}</section>`;
}
