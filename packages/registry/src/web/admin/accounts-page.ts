// Accounts and invitations.

import {
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
import { InvitedRoles, type OpenInvitation } from 'skillwright/registry-protocol';
import { buttonForm, drawClosedForm, drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { adminShell } from './admin-shell.ts';

export const suspensionForm = pageForm('account', 'changeAccount', { reason: 'suspended' });
export const invitationForm = pageForm('invitation', 'createInvitation', {
  account: 'account',
  ...InvitedRoles.shape,
});

/** Accounts by name. */
interface AccountsView {
  readonly accounts: readonly {
    readonly account: string;
    readonly displayName: string;
    readonly email: string | null;
    readonly isAdmin: boolean;
    readonly isModerator: boolean;
    /** Reason, or null. */
    readonly suspended: string | null;
    readonly created: string;
    /** Tokens that work. */
    readonly tokens: number;
  }[];
  readonly next: string | null;
  /** The address of the invitation just made; shown once. */
  readonly createdInvitation?: string | undefined;
  /** Invitations nobody accepted yet. */
  readonly invitations: readonly OpenInvitation[];
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function accountsPage(view: AccountsView, frame: Frame): string {
  const { accounts, next, createdInvitation, invitations, sent } = view;
  const main = html`${
    createdInvitation === undefined
      ? ''
      : notice('good', {
          title: 'The invitation is ready',
          body: html`<p>Send this address. It works once and is not shown again.</p>${codeBlock(createdInvitation, { label: 'address of the invitation' })}`,
        })
  }${table({
    caption: 'Accounts',
    columns: [
      { title: 'Account' },
      { title: 'Role' },
      { title: 'Tokens', kind: 'number' },
      { title: 'Since' },
      { title: 'State' },
      { title: 'Change', isTitleHidden: true, kind: 'action' },
    ],
    rows: accounts.map((row) => [
      html`<strong class="mono"><bdi>${row.account}</bdi></strong> <span class="muted">${foreign(row.displayName)}</span>${row.email === null ? '' : html`<div class="small muted"><bdi>${row.email}</bdi></div>`}`,
      html`${row.isAdmin ? badge('registry admin', { tone: 'accent' }) : ''}${row.isModerator ? badge('moderator', { tone: 'accent' }) : ''}`,
      formatCount(row.tokens),
      day(row.created),
      row.suspended === null
        ? badge('active', { tone: 'good' })
        : badge('suspended', { tone: 'bad', title: row.suspended }),
      change(row, { frame, sent }),
    ]),
  })}${pager({ next: next === null ? undefined : `/admin/accounts?cursor=${encodeURIComponent(next)}` })}
${openInvitations(invitations, frame)}${card(
  'Invite somebody',
  drawForm(invitationForm, {
    frame,
    action: '/admin/invitations',
    sent,
    usual: { roles: ['reader'] },
    button: 'Create invitation',
  }),
)}`;
  return adminShell(frame, { title: 'Accounts', href: '/admin/accounts', main });
}

function change(
  { account, isAdmin, isModerator, suspended }: AccountsView['accounts'][number],
  { frame, sent }: { frame: Frame; sent: SentForm | undefined },
) {
  if (frame.viewer?.account === account) return html`<span class="muted small">you</span>`;
  const action = `/admin/accounts/${encodeURIComponent(account)}`;
  const buttons = html`${isAdmin ? submit('Remove admin', { kind: 'plain', name: 'change', value: 'not-admin' }) : submit('Make admin', { kind: 'plain', name: 'change', value: 'admin' })}${isModerator ? submit('Remove moderator', { kind: 'plain', name: 'change', value: 'not-moderator' }) : isAdmin ? '' : submit('Make moderator', { kind: 'plain', name: 'change', value: 'moderator' })}${suspended === null ? '' : submit('Restore', { kind: 'plain', name: 'change', value: 'restore' })}`;
  const change = buttonForm(frame, { action, label: `Change ${account}`, button: buttons });
  if (suspended !== null) return change;
  const suspend = drawClosedForm(html`Suspend<span class="unseen"> ${account}</span>`, suspensionForm, {
    frame,
    action,
    sent,
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
    columns: [
      { title: 'Account' },
      { title: 'Roles' },
      { title: 'Invited by' },
      { title: 'Ends' },
      { title: 'Withdraw', isTitleHidden: true, kind: 'action' },
    ],
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
