// Pages of the signed-in account: roles, offers, tokens.

import type { Context } from 'hono';
import {
  type CreatedToken,
  OwnerName,
  OwnerRequest,
  Scope,
  TokenRequest,
} from 'skillwright/registry-protocol';
import * as z from 'zod';
import {
  acceptTransfer,
  declineTransfer,
  endSession,
  listSessions,
  listTokens,
  putOwner,
  requestToken,
  revokeToken,
  whoami,
} from '../../accounts/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { ownerHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { checkForm, orAgain, readChoices, readForm, showPage } from '../frame-of.ts';
import type { SentForm } from '../sent-form.ts';
import { accountPage } from './account-page.ts';
import { sessionsPage } from './sessions-page.ts';
import { tokensPage } from './tokens-page.ts';

const TransferAnswer = z.object({ answer: z.enum(['accept', 'decline']) });

/** `/settings`, `/settings/tokens` and `/settings/sessions`. */
export function accountPages(app: App): void {
  app.get(
    '/settings',
    showPage((context, frame) => showAccount(context, frame)),
  );
  app.post(
    '/settings/owners',
    showPage((context, frame) => {
      const again = (sent: SentForm) => showAccount(context, frame, sent);
      return orAgain(context, { form: 'owner', main: 'name', again }, async () => {
        const { name, title } = await readForm(context);
        const checked = checkForm(OwnerName, name);
        const request = checkForm(OwnerRequest, { title: title ?? '' });
        await putOwner(context.get('registry'), context.get('caller'), {
          name: checked,
          request,
          mustBeNew: true,
        });
        return context.redirect(ownerHref(checked), 303);
      });
    }),
  );
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
  app.post(
    '/settings/sessions/:id/end',
    showPage(async (context) => {
      await endSession(context.get('registry'), context.get('caller'), context.req.param('id')!);
      return context.redirect('/settings/sessions', 303);
    }),
  );
  app.post(
    '/settings/transfers/:id',
    showPage(async (context) => {
      const { answer: given } = checkForm(TransferAnswer, await readForm(context));
      const answer = given === 'accept' ? acceptTransfer : declineTransfer;
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
    showPage((context, frame) => {
      const again = (sent: SentForm) => showTokens(context, frame, { sent });
      return orAgain(context, { form: 'token', main: 'name', again }, async () => {
        const { name, owner, days } = await readForm(context);
        const request = checkForm(TokenRequest, {
          name,
          scopes: await readChoices(context, 'scopes'),
          owner: owner ? owner : null,
          days: days ? Number(days) : null,
        });
        const created = await requestToken(context.get('registry'), context.get('caller'), request);
        context.header('cache-control', 'no-store');
        return showTokens(context, frame, { created });
      });
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
