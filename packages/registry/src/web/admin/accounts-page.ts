// Accounts and invitations.

import {
  actionColumn,
  badge,
  card,
  codeBlock,
  day,
  foreign,
  formatCount,
  html,
  notice,
  pager,
  submit,
  table,
} from 'skillwright/pages';
import {
  type AccountChange,
  type AccountInfo,
  InvitedRoles,
  type OpenInvitation,
} from 'skillwright/registry-protocol';
import { callOf, handlers } from '../../api/index.ts';
import { definePage } from '../define-page.ts';
import { buttonForm, drawClosedForm, drawForm, madeBy, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { adminShell } from './admin-shell.ts';

const suspensionForm = pageForm('account', 'changeAccount', { reason: 'suspended' });
const invitationForm = pageForm('invitation', 'createInvitation', {
  account: 'account',
  ...InvitedRoles.shape,
});

export const accountsPage = definePage({
  path: '/admin/accounts',
  load: async (visit) => ({
    ...(await handlers.listAccounts(callOf(visit, { query: { cursor: visit.context.req.query('cursor') } }))),
    ...(await handlers.listInvitations(callOf(visit))),
  }),
  draw({ accounts, next, invitations }, frame) {
    const invitation = madeBy(invitationForm, frame);
    const main = html`${
      invitation === undefined
        ? ''
        : notice('good', {
            title: 'The invitation is ready',
            body: html`<p>Send this address. It works once and is not shown again.</p>${codeBlock(invitation.link, { label: 'address of the invitation' })}`,
          })
    }${table({
      caption: 'Accounts',
      columns: [
        'Account',
        'Role',
        { title: 'Tokens', kind: 'number' },
        'Since',
        'State',
        actionColumn('Change'),
      ],
      rows: accounts.map((row) => [
        html`<strong class="mono"><bdi>${row.name}</bdi></strong> <span class="muted">${foreign(row.displayName)}</span>${row.email === null ? '' : html`<div class="small muted"><bdi>${row.email}</bdi></div>`}`,
        html`${row.isAdmin ? badge('registry admin', { tone: 'accent' }) : ''}${row.isModerator ? badge('moderator', { tone: 'accent' }) : ''}`,
        formatCount(row.tokens),
        day(row.created),
        row.suspended === null
          ? badge('active', { tone: 'good' })
          : badge('suspended', { tone: 'bad', title: row.suspended }),
        changeButtons(row, frame),
      ]),
    })}${pager({ next: next === null ? undefined : `/admin/accounts?cursor=${encodeURIComponent(next)}` })}
${openInvitations(invitations, frame)}${card(
  'Invite somebody',
  drawForm(invitationForm, {
    frame,
    action: '/admin/invitations',
    usual: { roles: ['reader'] },
    button: 'Create invitation',
  }),
)}`;
    return adminShell(frame, { title: 'Accounts', href: '/admin/accounts', main });
  },
  forms: [
    {
      path: '/admin/accounts/:account',
      form: suspensionForm,
      about: 'account',
      body: ({ change: [change = ''] = [] }) =>
        change === 'suspend' ? undefined : (changes[change] ?? { change }),
    },
    {
      path: '/admin/invitations',
      form: invitationForm,
      body: ({ account, owner, roles = [] }) => ({
        account: account?.[0],
        roles: owner?.[0] ? [{ owner: owner[0], roles }] : [],
      }),
      next: 'made',
    },
    {
      path: '/admin/invitations/:id/withdraw',
      form: 'withdrawInvitation',
    },
  ],
});

const changes: Readonly<Record<string, AccountChange>> = {
  admin: { isAdmin: true },
  'not-admin': { isAdmin: false },
  moderator: { isModerator: true },
  'not-moderator': { isModerator: false },
  restore: { suspended: null },
};

function changeButtons({ name: account, isAdmin, isModerator, suspended }: AccountInfo, frame: Frame) {
  if (frame.viewer?.account === account) return html`<span class="muted small">you</span>`;
  const action = `/admin/accounts/${encodeURIComponent(account)}`;
  const buttons = html`${isAdmin ? submit('Remove admin', { kind: 'plain', name: 'change', value: 'not-admin' }) : submit('Make admin', { kind: 'plain', name: 'change', value: 'admin' })}${isModerator ? submit('Remove moderator', { kind: 'plain', name: 'change', value: 'not-moderator' }) : isAdmin ? '' : submit('Make moderator', { kind: 'plain', name: 'change', value: 'moderator' })}${suspended === null ? '' : submit('Restore', { kind: 'plain', name: 'change', value: 'restore' })}`;
  const change = buttonForm(frame, { action, label: `Change ${account}`, button: buttons });
  if (suspended !== null) return change;
  const suspend = drawClosedForm(html`Suspend<span class="unseen"> ${account}</span>`, suspensionForm, {
    frame,
    action,
    about: account,
    id: `suspend-${account}`,
    label: `Suspend ${account}`,
    hidden: { change: 'suspend' },
    button: submit('Suspend', { kind: 'danger' }),
  });
  return html`${change}${suspend}`;
}

function openInvitations(invitations: readonly OpenInvitation[], frame: Frame) {
  if (invitations.length === 0) return '';
  const list = table({
    caption: 'Open invitations',
    columns: ['Account', 'Roles', 'Invited by', 'Ends', actionColumn('Withdraw')],
    rows: invitations.map(({ id, account, roles, by, expires }) => [
      html`<strong class="mono"><bdi>${account}</bdi></strong>`,
      html`${roles.map(({ owner, roles: given }) => html`<div>@${owner}: ${given.join(', ')}</div>`)}`,
      foreign(by),
      day(expires),
      buttonForm(frame, {
        action: `/admin/invitations/${encodeURIComponent(id)}/withdraw`,
        label: `Withdraw the invitation of ${account}`,
        button: 'Withdraw',
      }),
    ]),
  });
  return html`<section class="stack"><h2>Open invitations</h2>${list}</section>`;
}
