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
import { asked, MAX_NAME, type OwnerRequest, pathParts, type Transfer } from 'skillwright/registry-protocol';
import { putOwner } from '../../accounts/index.ts';
import { callOf, handlers } from '../../api/index.ts';
import { Failure } from '../../base/index.ts';
import { ownerHref } from '../addresses.ts';
import { definePage } from '../define-page.ts';
import { buttonForm, drawForm, pageForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';

const ownerForm = pageForm('owner', 'putOwner', {
  name: asked(pathParts.owner, {
    label: 'Name',
    hint: 'Lower case letters, digits and hyphens, without @',
    maxLength: MAX_NAME,
  }),
  title: 'title',
});

export const accountPage = definePage({
  path: '/settings',
  load: async (visit) => ({
    whoami: await handlers.whoami(callOf(visit)),
    /** True if accounts may make namespaces themselves. */
    mayCreateOwner:
      visit.registry.settings.newOwners === 'accounts' || visit.caller.account?.isAdmin === true,
  }),
  draw({ whoami, mayCreateOwner }, frame) {
    const { account, displayName, isAdmin, owners, transfers } = whoami;
    const offers = transfers.map((transfer) => transferOffer(transfer, frame));
    const create = drawForm(ownerForm, { frame, action: '/settings/owners', button: 'Create namespace' });
    const main = html`<div class="page-head"><h1><bdi dir="auto">${displayName === '' ? account : displayName}</bdi></h1></div><div class="stack-large">${offers}
${definitions([
  ['Account', html`<span class="mono">${account}</span>`],
  ['Registry', isAdmin ? badge('admin', { tone: 'accent' }) : null],
  ['Tokens', html`<a href="/settings/tokens">Manage your tokens</a>`],
  ['Sessions', html`<a href="/settings/sessions">See where you are signed in</a>`],
])}
<section class="stack"><h2>Namespaces</h2>${table({
      caption: 'Your namespaces',
      columns: ['Namespace', 'Roles'],
      rows: owners.map(({ name, roles }) => [
        ownerLink(name),
        html`<span class="row">${roles.map((role) => badge(role))}</span>`,
      ]),
      empty: emptyState('No namespace yet', 'You need a role in one to publish.'),
    })}</section>${mayCreateOwner ? card('New namespace', create) : ''}</div>`;
    return shell(frame, { title: 'Your account', main });
  },
  forms: [
    {
      path: '/settings/owners',
      form: ownerForm,
      typedParts: { owner: 'name' },
      work: ({ path: { owner: name }, body, ...act }) =>
        putOwner(act, { name, ...(body as OwnerRequest), mustBeNew: true }),
      next: ({ owner }) => ownerHref(owner),
    },
    {
      path: '/settings/transfers/:id',
      form: ({ answer }) => {
        if (answer?.[0] === 'accept') return 'acceptTransfer';
        if (answer?.[0] === 'decline') return 'declineTransfer';
        throw new Failure('bad_request', 'accept the offer, or decline it');
      },
    },
  ],
});

/** A namespace that is offered to the viewer, or roles in it, with the answers. */
export function transferOffer({ id, owner, from, roles, expires }: Transfer, frame: Frame): Html {
  return notice('accent', {
    title:
      roles === undefined
        ? html`${foreign(from)} offers you @${owner}`
        : html`${foreign(from)} invites you to @${owner}`,
    body: html`<p>Accept before ${day(expires)} to become ${roles === undefined ? 'its only admin' : listInWords(roles)}.</p><div class="row">${buttonForm(
      frame,
      {
        action: `/settings/transfers/${encodeURIComponent(id)}`,
        label: `Answer the offer of ${owner}`,
        button: html`${submit('Accept', { name: 'answer', value: 'accept' })}${submit('Decline', { kind: 'plain', name: 'answer', value: 'decline' })}`,
      },
    )}</div>`,
  });
}

const listInWords = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);
