// The signed-in account: roles, and namespaces offered to it.

import {
  badge,
  card,
  day,
  definitions,
  emptyState,
  foreign,
  type Html,
  html,
  notice,
  submit,
  table,
} from 'skillwright/pages';
import { asked, MAX_NAME, pathParts, type Transfer, type Whoami } from 'skillwright/registry-protocol';
import { buttonForm, drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';

export const ownerForm = pageForm('owner', 'putOwner', {
  name: asked(pathParts.owner, {
    label: 'Name',
    hint: 'Lower case letters, digits and hyphens, without @',
    maxLength: MAX_NAME,
  }),
  title: 'title',
});

/** The account as it sees itself. */
interface AccountView {
  readonly whoami: Whoami;
  /** True if accounts may make namespaces themselves. */
  readonly mayCreateOwner: boolean;
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function accountPage({ whoami, mayCreateOwner, sent }: AccountView, frame: Frame): string {
  const { account, displayName, isAdmin, owners, transfers } = whoami;
  const offers = transfers.map((transfer) => transferOffer(transfer, frame));
  const create = drawForm(ownerForm, { frame, action: '/settings/owners', sent, button: 'Create namespace' });
  const main = html`<div class="page-head"><h1><bdi dir="auto">${displayName === '' ? account : displayName}</bdi></h1></div><div class="stack-large">${offers}
${definitions([
  ['Account', html`<span class="mono">${account}</span>`],
  ['Registry', isAdmin ? badge('admin', { tone: 'accent' }) : null],
  ['Tokens', html`<a href="/settings/tokens">Manage your tokens</a>`],
  ['Sessions', html`<a href="/settings/sessions">See where you are signed in</a>`],
])}
<section class="stack"><h2>Namespaces</h2>${table({
    caption: 'Your namespaces',
    columns: [{ title: 'Namespace' }, { title: 'Roles' }],
    rows: owners.map(({ name, roles }) => [
      ownerLink(name),
      html`<span class="row">${roles.map((role) => badge(role))}</span>`,
    ]),
    empty: emptyState('No namespace yet', 'You need a role in one to publish.'),
  })}</section>${mayCreateOwner ? card('New namespace', create) : ''}</div>`;
  return shell(frame, { title: 'Your account', main });
}

/** A namespace that is offered to the viewer, with the answers. */
export function transferOffer({ id, owner, from, expires }: Transfer, frame: Frame): Html {
  return notice('accent', {
    title: html`${foreign(from)} offers you @${owner}`,
    body: html`<p>Accept before ${day(expires)} to become its only admin.</p><div class="row">${buttonForm(
      frame,
      {
        action: `/settings/transfers/${encodeURIComponent(id)}`,
        label: `Answer the offer of ${owner}`,
        button: html`${submit('Accept', { name: 'answer', value: 'accept' })}${submit('Decline', { kind: 'plain', name: 'answer', value: 'decline' })}`,
      },
    )}</div>`,
  });
}
