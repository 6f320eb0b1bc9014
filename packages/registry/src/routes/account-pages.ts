// Pages of the signed-in account: roles, offers, tokens.

import type { Context } from 'hono';
import {
  type CreatedToken,
  OwnerName,
  OwnerRequest,
  Scope,
  TokenRequest,
} from 'skillwright/registry-protocol';
import { listTokens, requestToken, revokeToken } from '../accounts/manage-tokens.ts';
import { whoami } from '../accounts/whoami.ts';
import type { App, Environment } from '../app/create-app.ts';
import { putOwner } from '../owners/put-owner.ts';
import { acceptTransfer, declineTransfer } from '../owners/transfers.ts';
import { accountPage } from '../web/account/account-page.ts';
import { tokensPage } from '../web/account/tokens-page.ts';
import { ownerHref } from '../web/addresses.ts';
import type { Frame } from '../web/frame.ts';
import { checkForm, readChoices, readForm, showPage } from '../web/frame-of.ts';

/** `/settings` and `/settings/tokens`. */
export function accountPages(app: App): void {
  app.get(
    '/settings',
    showPage(async (context, frame) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      const mayCreateOwner = registry.settings.newOwners === 'accounts' || caller.account?.isAdmin === true;
      return accountPage({ whoami: await whoami(registry, caller), mayCreateOwner }, frame);
    }),
  );
  app.post(
    '/settings/owners',
    showPage(async (context) => {
      const { name, title } = await readForm(context);
      const checked = checkForm(OwnerName, name);
      const request = checkForm(OwnerRequest, { title: title ?? '' });
      await putOwner(context.get('registry'), context.get('caller'), { name: checked, request });
      return context.redirect(ownerHref(checked), 303);
    }),
  );
  app.post(
    '/settings/transfers/:id',
    showPage(async (context) => {
      const answer = (await readForm(context)).answer === 'accept' ? acceptTransfer : declineTransfer;
      await answer(context.get('registry'), context.get('caller'), context.req.param('id')!);
      return context.redirect('/settings', 303);
    }),
  );
  app.get(
    '/settings/tokens',
    showPage((context, frame) => showTokens(context, frame)),
  );
  app.post(
    '/settings/tokens',
    showPage(async (context, frame) => {
      const { name, owner, days } = await readForm(context);
      const request = checkForm(TokenRequest, {
        name,
        scopes: await readChoices(context, 'scopes'),
        owner: owner ? owner : null,
        days: days ? Number(days) : null,
      });
      const created = await requestToken(context.get('registry'), context.get('caller'), request);
      context.header('cache-control', 'no-store');
      return showTokens(context, frame, created);
    }),
  );
  app.post(
    '/settings/tokens/:id/revoke',
    showPage(async (context) => {
      await revokeToken(context.get('registry'), context.get('caller'), context.req.param('id')!);
      return context.redirect('/settings/tokens', 303);
    }),
  );
}

async function showTokens(
  context: Context<Environment>,
  frame: Frame,
  created?: CreatedToken,
): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const { owners } = await whoami(registry, caller);
  const scopes = Scope.options.filter(
    (scope) => caller.scopes.has(scope) && (scope !== 'admin' || caller.account?.isAdmin),
  );
  const tokens = await listTokens(registry, caller);
  return tokensPage({ tokens, scopes, owners: owners.map(({ name }) => name), created }, frame);
}
