// Tokens of the signed-in account, and the browsers in which it is signed in.

import {
  actionColumn,
  badge,
  card,
  codeBlock,
  day,
  dayAndTime,
  emptyState,
  foreign,
  html,
  notice,
  table,
} from 'skillwright/pages';
import { Scope } from 'skillwright/registry-protocol';
import { endSession } from '../../accounts/index.ts';
import { callOf, handlers } from '../../api/index.ts';
import { definePage } from '../define-page.ts';
import { buttonForm, drawForm, madeBy, pageForm } from '../forms/page-form.ts';
import { shell } from '../frame.ts';

const tokenForm = pageForm('token', 'createToken');

export const tokensPage = definePage({
  path: '/settings/tokens',
  load: async (visit) => ({
    ...(await handlers.listTokens(callOf(visit))),
    /** Scopes the account may give away. */
    scopes: Scope.options.filter(
      (scope) => visit.caller.scopes.has(scope) && (scope !== 'admin' || visit.caller.account?.isAdmin),
    ),
    /** Namespaces a token can be limited to. */
    owners: (await handlers.whoami(callOf(visit))).owners.map(({ name }) => name),
  }),
  draw({ tokens, scopes, owners }, frame) {
    const created = madeBy(tokenForm, frame);
    const list = table({
      caption: 'Your tokens',
      columns: ['Name', 'Scopes', 'Namespace', 'Expires', 'Last used', actionColumn('Revoke')],
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
  },
  forms: [
    { path: '/settings/tokens', form: tokenForm, next: 'made' },
    { path: '/settings/tokens/:id/revoke', form: 'revokeToken' },
  ],
});

export const sessionsPage = definePage({
  path: '/settings/sessions',
  load: async (visit) => (await handlers.listSessions(callOf(visit))).sessions,
  draw(sessions, frame) {
    const list = table({
      caption: 'Your sessions',
      columns: ['Browser', 'Signed in', 'Last used', 'Ends', actionColumn('End')],
      rows: sessions.map(({ id, agent, current, created, used, expires }) => [
        html`${agent === '' ? html`<span class="muted">unknown</span>` : foreign(agent)} ${current ? badge('this one', { tone: 'accent' }) : ''}`,
        dayAndTime(created),
        dayAndTime(used),
        dayAndTime(expires),
        current
          ? ''
          : buttonForm(frame, {
              action: `/settings/sessions/${encodeURIComponent(id)}/end`,
              label: `End the session of ${created}`,
              button: 'End',
            }),
      ]),
    });
    const others = sessions.some(({ current }) => !current)
      ? buttonForm(frame, { action: '/settings/sessions/end-others', button: 'End all other sessions' })
      : '';
    const main = html`<div class="page-head"><h1>Sessions</h1><p>Browsers in which you are signed in. Tokens are listed <a href="/settings/tokens">separately</a>.</p></div><div class="stack-large">${list}${others}</div>`;
    return shell(frame, { title: 'Sessions', main });
  },
  forms: [
    {
      path: '/settings/sessions/end-others',
      async work(call) {
        const { sessions } = await handlers.listSessions(callOf(call));
        for (const { id, current } of sessions) if (!current) await endSession(call, id);
      },
    },
    { path: '/settings/sessions/:id/end', form: 'endSession' },
  ],
});
