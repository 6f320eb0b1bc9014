// Accounts and invitations.

import {
  badge,
  card,
  choiceField,
  codeBlock,
  day,
  field,
  foreign,
  form,
  formatCount,
  html,
  notice,
  pager,
  submit,
  table,
} from 'skillwright/pages';
import type { Frame } from '../frame.ts';
import { adminShell, type Message } from './admin-shell.ts';

/** Accounts by name. */
export interface AccountsView {
  readonly accounts: readonly {
    readonly account: string;
    readonly displayName: string;
    readonly email: string | null;
    readonly isAdmin: boolean;
    /** Reason, or null. */
    readonly suspended: string | null;
    readonly created: string;
    /** Tokens that work. */
    readonly tokens: number;
  }[];
  readonly next: string | null;
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
      { title: 'Role' },
      { title: 'Tokens', kind: 'number' },
      { title: 'Since' },
      { title: 'State' },
      { title: 'Change', isTitleHidden: true, kind: 'action' },
    ],
    rows: accounts.map((row) => [
      html`<strong class="mono"><bdi>${row.account}</bdi></strong> <span class="muted">${foreign(row.displayName)}</span>${row.email === null ? '' : html`<div class="small muted"><bdi>${row.email}</bdi></div>`}`,
      html`${row.isAdmin ? badge('registry admin', { tone: 'accent' }) : ''}`,
      formatCount(row.tokens),
      day(row.created),
      row.suspended === null
        ? badge('active', { tone: 'good' })
        : badge('suspended', { tone: 'bad', title: row.suspended }),
      change(row, frame),
    ]),
  })}${pager({ next: next === null ? undefined : `/admin/accounts?cursor=${encodeURIComponent(next)}` })}
${invitationForm(frame)}`;
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

function invitationForm({ csrf }: Frame) {
  return card(
    'Invite somebody',
    form({
      action: '/admin/invitations',
      csrf,
      content: html`${field({ name: 'account', label: 'Account', hint: 'Name of the new account', isRequired: true, maxLength: 64, autocomplete: 'off' })}${field({ name: 'owner', label: 'Namespace', hint: 'Without @. Leave it empty for an account without roles.', maxLength: 64 })}${choiceField({ name: 'roles', label: 'Roles', kind: 'checkbox', choices: ['reader', 'publisher', 'reviewer', 'admin'].map((value) => ({ value, label: value })) })}${submit('Create invitation')}`,
    }),
  );
}
