// Tokens of the signed-in account.

import { badge, card, codeBlock, day, emptyState, html, notice, table } from 'skillwright/pages';
import type { CreatedToken, Scope, TokenInfo } from 'skillwright/registry-protocol';
import { buttonForm, drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';

export const tokenForm = pageForm('token', 'createToken');

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

export function tokensPage(view: TokensView, frame: Frame): string {
  const { tokens, scopes, owners, created, sent } = view;
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
      buttonForm(frame, {
        action: `/settings/tokens/${encodeURIComponent(id)}/revoke`,
        label: `Revoke ${name}`,
        button: 'Revoke',
      }),
    ]),
    empty: emptyState('No tokens', html`Use <code>skc login</code>, or make one here for scripts.`),
  });
  const make = drawForm(tokenForm, {
    frame,
    action: '/settings/tokens',
    sent,
    usual: { scopes: ['read'] },
    offered: { scopes, owner: ['', ...owners.map((owner) => ({ value: owner, label: `@${owner}` }))] },
    button: 'Create token',
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
