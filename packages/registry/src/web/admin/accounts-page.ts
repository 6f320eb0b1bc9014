// Accounts and invitations.

import {
  badge,
  card,
  choiceField,
  codeBlock,
  day,
  emptyState,
  field,
  foreign,
  form,
  html,
  notice,
  pager,
  submit,
  table,
} from 'skillwright/pages';
import type { Role } from 'skillwright/registry-protocol';
import type { Frame } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';
import { adminShell, type Message } from './admin-shell.ts';

/** Accounts by name, and open invitations. */
export interface AccountsView {
  readonly accounts: readonly {
    readonly account: string;
    readonly displayName: string;
    readonly email: string | null;
    readonly isAdmin: boolean;
    /** Reason, or null. */
    readonly suspended: string | null;
    readonly created: string;
    readonly owners: readonly { readonly name: string; readonly roles: readonly Role[] }[];
  }[];
  readonly next: string | null;
  readonly invitations: readonly {
    readonly id: string;
    readonly owner: string | null;
    readonly roles: readonly Role[];
    readonly invitedBy: string;
    readonly expires: string;
  }[];
  /** The address of the invitation just made; shown once. */
  readonly createdInvitation?: string | undefined;
  readonly message?: Message | undefined;
}

export function accountsPage(view: AccountsView, frame: Frame): string {
  const { accounts, next, createdInvitation, message } = view;
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
      { title: 'Roles' },
      { title: 'Since' },
      { title: 'State' },
      { title: 'Change', isTitleHidden: true, kind: 'action' },
    ],
    rows: accounts.map((row) => [
      html`<strong class="mono"><bdi>${row.account}</bdi></strong> <span class="muted">${foreign(row.displayName)}</span>${row.email === null ? '' : html`<div class="small muted"><bdi>${row.email}</bdi></div>`}`,
      html`${row.isAdmin ? badge('registry admin', { tone: 'accent' }) : ''} ${row.owners.map(({ name, roles }) => html`<div class="small">${ownerLink(name)}: ${roles.join(', ')}</div>`)}`,
      day(row.created),
      row.suspended === null
        ? badge('active', { tone: 'good' })
        : badge('suspended', { tone: 'bad', title: row.suspended }),
      change(row, frame),
    ]),
  })}${pager({ next: next === null ? undefined : `/admin/accounts?cursor=${encodeURIComponent(next)}` })}
${invitations(view, frame)}`;
  return adminShell(frame, { title: 'Accounts', href: '/admin/accounts', main, message });
}

function change({ account, isAdmin, suspended }: AccountsView['accounts'][number], { csrf, viewer }: Frame) {
  if (viewer?.account === account) return html`<span class="muted small">you</span>`;
  const buttons = html`${isAdmin ? submit('Remove admin', { kind: 'plain', name: 'change', value: 'not-admin' }) : submit('Make admin', { kind: 'plain', name: 'change', value: 'admin' })}${suspended === null ? submit('Suspend', { kind: 'danger', name: 'change', value: 'suspend' }) : submit('Restore', { kind: 'plain', name: 'change', value: 'restore' })}`;
  return form({
    action: `/admin/accounts/${encodeURIComponent(account)}`,
    csrf,
    isInline: true,
    label: `Change ${account}`,
    content: buttons,
  });
}

function invitations({ invitations: open }: AccountsView, { csrf }: Frame) {
  const list = table({
    caption: 'Open invitations',
    columns: [
      { title: 'For' },
      { title: 'Roles' },
      { title: 'By' },
      { title: 'Expires' },
      { title: 'Withdraw', isTitleHidden: true, kind: 'action' },
    ],
    rows: open.map(({ id, owner, roles, invitedBy, expires }) => [
      owner === null ? 'the registry' : ownerLink(owner),
      roles.length === 0 ? 'none' : roles.join(', '),
      foreign(invitedBy),
      day(expires),
      form({
        action: `/admin/invitations/${encodeURIComponent(id)}/withdraw`,
        csrf,
        isInline: true,
        label: 'Withdraw the invitation',
        content: submit('Withdraw', { kind: 'danger' }),
      }),
    ]),
    empty: emptyState('No open invitations'),
  });
  const make = form({
    action: '/admin/invitations',
    csrf,
    content: html`${field({ name: 'owner', label: 'Namespace', hint: 'Without @. Leave it empty for an account without roles.', maxLength: 64 })}${choiceField({ name: 'roles', label: 'Roles', kind: 'checkbox', choices: ['reader', 'publisher', 'reviewer', 'admin'].map((value) => ({ value, label: value })) })}${submit('Create invitation')}`,
  });
  return html`<section class="stack"><h2>Invitations</h2>${list}${card('Invite somebody', make)}</section>`;
}
