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
import type { InvitationInfo } from '../../accounts/index.ts';
import type { Frame } from '../frame.ts';
import { filledIn, type SentForm } from '../sent-form.ts';
import { adminShell } from './admin-shell.ts';

/** Accounts by name. */
interface AccountsView {
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
  /** Invitations nobody accepted yet. */
  readonly invitations: readonly InvitationInfo[];
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
      html`${row.isAdmin ? badge('registry admin', { tone: 'accent' }) : ''}`,
      formatCount(row.tokens),
      day(row.created),
      row.suspended === null
        ? badge('active', { tone: 'good' })
        : badge('suspended', { tone: 'bad', title: row.suspended }),
      change(row, { frame, sent }),
    ]),
  })}${pager({ next: next === null ? undefined : `/admin/accounts?cursor=${encodeURIComponent(next)}` })}
${openInvitations(invitations, frame)}${invitationForm(frame, sent)}`;
  return adminShell(frame, { title: 'Accounts', href: '/admin/accounts', main });
}

function change(
  { account, isAdmin, suspended }: AccountsView['accounts'][number],
  { frame: { csrf, viewer }, sent }: { frame: Frame; sent: SentForm | undefined },
) {
  if (viewer?.account === account) return html`<span class="muted small">you</span>`;
  const action = `/admin/accounts/${encodeURIComponent(account)}`;
  const buttons = html`${isAdmin ? submit('Remove admin', { kind: 'plain', name: 'change', value: 'not-admin' }) : submit('Make admin', { kind: 'plain', name: 'change', value: 'admin' })}${suspended === null ? '' : submit('Restore', { kind: 'plain', name: 'change', value: 'restore' })}`;
  const change = form({ action, csrf, isInline: true, label: `Change ${account}`, content: buttons });
  if (suspended !== null) return change;
  const again = filledIn(sent, `account ${account}`);
  const reason = field({
    name: 'reason',
    id: `suspend-${account}`,
    label: 'Reason',
    hint: 'Its tokens and sessions end.',
    isRequired: true,
    maxLength: 500,
    ...again.text('reason'),
  });
  return html`${change}<details${again.isSent ? html` open` : ''}><summary class="small">Suspend<span class="unseen"> ${account}</span></summary>${form(
    {
      action,
      csrf,
      label: `Suspend ${account}`,
      content: html`<input type="hidden" name="change" value="suspend">${reason}${submit('Suspend', { kind: 'danger' })}`,
    },
  )}</details>`;
}

function openInvitations(invitations: readonly InvitationInfo[], { csrf }: Frame) {
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
      form({
        action: `/admin/invitations/${encodeURIComponent(id)}/withdraw`,
        csrf,
        isInline: true,
        label: `Withdraw the invitation of ${account}`,
        content: submit('Withdraw', { kind: 'danger' }),
      }),
    ]),
  });
  return html`<section class="stack"><h2>Open invitations</h2>${list}</section>`;
}

function invitationForm({ csrf }: Frame, sent: SentForm | undefined) {
  const again = filledIn(sent, 'invitation');
  return card(
    'Invite somebody',
    form({
      action: '/admin/invitations',
      csrf,
      content: html`${field({ name: 'account', label: 'Account', hint: 'Name of the new account', isRequired: true, maxLength: 64, autocomplete: 'off', ...again.text('account') })}${field({ name: 'owner', label: 'Namespace', hint: 'Without @. Leave it empty for an account without roles.', maxLength: 64, ...again.text('owner') })}${choiceField({ name: 'roles', label: 'Roles', kind: 'checkbox', choices: ['reader', 'publisher', 'reviewer', 'admin'].map((value) => ({ value, label: value })), ...again.choices('roles', ['reader']) })}${submit('Create invitation')}`,
    }),
  );
}
