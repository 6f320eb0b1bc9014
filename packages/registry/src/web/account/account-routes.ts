// Pages of the signed-in account: roles, offers, tokens.

import type { Context } from 'hono';
import { type CreatedToken, type OwnerRequest, Scope } from 'skillwright/registry-protocol';
import { endSession, listSessions, listTokens, putOwner, whoami } from '../../accounts/index.ts';
import { Failure } from '../../base/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { ownerHref } from '../addresses.ts';
import { formRoute } from '../forms/form-route.ts';
import type { SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { showPage } from '../frame-of.ts';
import { accountPage, ownerForm } from './account-page.ts';
import { sessionsPage } from './sessions-page.ts';
import { tokenForm, tokensPage } from './tokens-page.ts';

/** `/settings`, `/settings/tokens` and `/settings/sessions`. */
export function accountPages(app: App): void {
  app.get('/settings', showPage(showAccount));
  formRoute(app, '/settings/owners', {
    form: ownerForm,
    typedParts: { owner: 'name' },
    work: ({ registry, caller, path: { owner: name }, body }) =>
      putOwner(registry, caller, { name, request: body as OwnerRequest, mustBeNew: true }),
    again: showAccount,
    next: ({ owner }) => ownerHref(owner),
  });
  app.get(
    '/settings/sessions',
    showPage(async (context, frame) =>
      sessionsPage({ sessions: await listSessions(context.get('registry'), context.get('caller')) }, frame),
    ),
  );
  app.post(
    '/settings/sessions/end-others',
    showPage(async (context) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      for (const { id, current } of await listSessions(registry, caller))
        if (!current) await endSession(registry, caller, id);
      return context.redirect('/settings/sessions', 303);
    }),
  );
  formRoute(app, '/settings/sessions/:id/end', { form: 'endSession', next: () => '/settings/sessions' });
  formRoute(app, '/settings/transfers/:id', {
    form: ({ answer }) => {
      if (answer?.[0] === 'accept') return 'acceptTransfer';
      if (answer?.[0] === 'decline') return 'declineTransfer';
      throw new Failure('bad_request', 'accept the offer, or decline it');
    },
    next: () => '/settings',
  });
  app.get(
    '/settings/tokens',
    showPage((context, frame) => showTokens(context, frame)),
  );
  formRoute(app, '/settings/tokens', {
    form: tokenForm,
    again: (context, frame, sent) => showTokens(context, frame, { sent }),
    next: { show: (context, frame, created) => showTokens(context, frame, { created }) },
  });
  formRoute(app, '/settings/tokens/:id/revoke', { form: 'revokeToken', next: () => '/settings/tokens' });
}

async function showAccount(context: Context<Environment>, frame: Frame, sent?: SentForm): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const mayCreateOwner = registry.settings.newOwners === 'accounts' || caller.account?.isAdmin === true;
  return accountPage({ whoami: await whoami(registry, caller), mayCreateOwner, sent }, frame);
}

async function showTokens(
  context: Context<Environment>,
  frame: Frame,
  { created, sent }: { readonly created?: CreatedToken; readonly sent?: SentForm } = {},
): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const { owners } = await whoami(registry, caller);
  const scopes = Scope.options.filter(
    (scope) => caller.scopes.has(scope) && (scope !== 'admin' || caller.account?.isAdmin),
  );
  const tokens = await listTokens(registry, caller);
  return tokensPage({ tokens, scopes, owners: owners.map(({ name }) => name), created, sent }, frame);
}
