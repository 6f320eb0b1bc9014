// Tokens of the signed-in account.

import {
  badge,
  card,
  choiceField,
  codeBlock,
  day,
  emptyState,
  field,
  form,
  html,
  notice,
  selectField,
  submit,
  table,
} from 'skillwright/pages';
import type { CreatedToken, Scope, TokenInfo } from 'skillwright/registry-protocol';
import { type Frame, shell } from '../frame.ts';
import { filledIn, type SentForm } from '../sent-form.ts';

/** The tokens, and the one just made. */
interface TokensView {
  readonly tokens: readonly TokenInfo[];
  /** Scopes the account may give away. */
  readonly scopes: readonly Scope[];
  /** Namespaces a token can be limited to. */
  readonly owners: readonly string[];
  readonly created?: CreatedToken | undefined;
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

const scopeHints: Readonly<Record<Scope, string>> = {
  read: 'read private skills',
  publish: 'publish, yank, deprecate',
  rate: 'rate skills',
  owner: 'members, publishers, transfers',
  review: 'approve and quarantine',
  admin: 'administer the registry',
};

export function tokensPage(view: TokensView, frame: Frame): string {
  const { tokens, scopes, owners, created, sent } = view;
  const again = filledIn(sent, 'token');
  const list = table({
    caption: 'Your tokens',
    columns: [
      { title: 'Name' },
      { title: 'Scopes' },
      { title: 'Namespace' },
      { title: 'Expires' },
      { title: 'Last used' },
      { title: 'Revoke', isTitleHidden: true, kind: 'action' },
    ],
    rows: tokens.map(({ id, name, prefix, scopes: given, owner, expires, used }) => [
      html`<bdi dir="auto">${name}</bdi> <span class="mono muted">${prefix}…</span>`,
      html`<span class="row">${given.map((scope) => badge(scope, scope === 'admin' ? { tone: 'warn' } : {}))}</span>`,
      owner === null ? 'all' : html`<bdi>@${owner}</bdi>`,
      expires === null ? 'never' : day(expires),
      used === null ? 'never' : day(used),
      form({
        action: `/settings/tokens/${encodeURIComponent(id)}/revoke`,
        csrf: frame.csrf,
        isInline: true,
        label: `Revoke ${name}`,
        content: submit('Revoke', { kind: 'danger' }),
      }),
    ]),
    empty: emptyState('No tokens', html`Use <code>skc login</code>, or make one here for scripts.`),
  });
  const make = form({
    action: '/settings/tokens',
    csrf: frame.csrf,
    content: html`${field({ name: 'name', label: 'Name', hint: 'To recognise it later', isRequired: true, maxLength: 100, autocomplete: 'off', ...again.text('name') })}
${choiceField({ name: 'scopes', label: 'Scopes', kind: 'checkbox', choices: scopes.map((scope) => ({ value: scope, label: scope, hint: scopeHints[scope] })), ...again.choices('scopes', ['read']) })}
${selectField({ name: 'owner', label: 'Namespace', choices: [{ value: '', label: 'All my namespaces' }, ...owners.map((owner) => ({ value: owner, label: `@${owner}` }))], ...again.text('owner') })}
${selectField({
  name: 'days',
  label: 'Expires',
  choices: [
    { value: '7', label: 'In 7 days' },
    { value: '30', label: 'In 30 days' },
    { value: '90', label: 'In 90 days' },
    { value: '366', label: 'In a year' },
    { value: '', label: 'Never' },
  ],
  ...again.text('days', '90'),
})}
${submit('Create token')}`,
  });
  const fresh =
    created === undefined
      ? ''
      : notice('good', {
          title: html`Token ${created.name} is ready`,
          body: html`<p>Copy it now. It is not shown again.</p>${codeBlock(created.token, { label: 'new token' })}`,
        });
  const main = html`<div class="page-head"><h1>Tokens</h1><p>A token acts for you, within its scopes. The registry keeps only its hash.</p></div><div class="stack-large">${fresh}${list}${card('New token', make)}</div>`;
  return shell(frame, { title: 'Tokens', main });
}
