// Pages for administrators of the registry.

import type { Context } from 'hono';
import { AccountChange, AuditQuery, InvitationRequest } from 'skillwright/registry-protocol';
import { demandRegistryAdmin } from '../access/may.ts';
import { changeAccount, listAccounts } from '../accounts/manage-accounts.ts';
import type { App, Environment } from '../app/create-app.ts';
import { readAudit } from '../audit/read-audit.ts';
import { addMirror, listAllMirrors, MirrorRequest, removeMirror, syncMirror } from '../mirrors/mirrors.ts';
import { listReports, resolveReport } from '../moderation/reports.ts';
import { ResolveRequest } from '../moderation/requests.ts';
import { createInvitation } from '../signin/invitations.ts';
import { accountsPage } from '../web/admin/accounts-page.ts';
import { auditPage } from '../web/admin/audit-page.ts';
import { mirrorsPage } from '../web/admin/mirrors-page.ts';
import { reportsPage } from '../web/admin/reports-page.ts';
import { settingsPage } from '../web/admin/settings-page.ts';
import type { Frame } from '../web/frame.ts';
import { checkForm, readChoices, readForm, showPage } from '../web/frame-of.ts';

/** `/admin/*`. */
export function adminPages(app: App): void {
  app.get('/admin', (context) => context.redirect('/admin/accounts', 303));
  app.get(
    '/admin/accounts',
    showPage((context, frame) => showAccounts(context, frame)),
  );
  app.post(
    '/admin/accounts/:name',
    showPage(async (context) => {
      const change = changes[(await readForm(context)).change ?? ''];
      const name = context.req.param('name')!;
      await changeAccount(context.get('registry'), context.get('caller'), {
        name,
        change: checkForm(AccountChange, change),
      });
      return context.redirect('/admin/accounts', 303);
    }),
  );
  app.post(
    '/admin/invitations',
    showPage(async (context, frame) => {
      const { account, owner } = await readForm(context);
      const roles = owner ? [{ owner, roles: await readChoices(context, 'roles') }] : [];
      const request = checkForm(InvitationRequest, { account, roles });
      const { link } = await createInvitation(context.get('registry'), context.get('caller'), request);
      context.header('cache-control', 'no-store');
      return showAccounts(context, frame, link);
    }),
  );
  app.get(
    '/admin/audit',
    showPage(async (context, frame) => {
      const { actor = '', action = '', cursor } = context.req.query();
      const query = checkForm(AuditQuery, {
        account: actor === '' ? undefined : actor,
        action: action === '' ? undefined : action,
        cursor,
      });
      const { entries, next } = await readAudit(context.get('registry'), context.get('caller'), query);
      const rows = entries.map(({ id, time, account, owner, skill, details, ...rest }) => ({
        ...rest,
        id: String(id),
        at: time,
        actor: account,
        owner,
        skill: owner === null || skill === null ? null : `@${owner}/${skill}`,
        details: JSON.stringify(details),
      }));
      return auditPage({ entries: rows, next, filter: { actor, action } }, frame);
    }),
  );
  app.get(
    '/admin/reports',
    showPage(async (context, frame) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      demandRegistryAdmin(caller);
      const [open, closed] = await Promise.all([
        listReports(registry, caller, { isOpen: true }),
        listReports(registry, caller, { isOpen: false }),
      ]);
      return reportsPage({ reports: [...open, ...closed.toReversed()], next: null }, frame);
    }),
  );
  app.post(
    '/admin/reports/:id/resolve',
    showPage(async (context) => {
      const { resolution } = checkForm(ResolveRequest, { resolution: (await readForm(context)).resolution });
      await resolveReport(context.get('registry'), context.get('caller'), {
        id: context.req.param('id')!,
        resolution,
      });
      return context.redirect('/admin/reports', 303);
    }),
  );
  app.get(
    '/admin/mirrors',
    showPage(async (context, frame) =>
      mirrorsPage({ mirrors: await listAllMirrors(context.get('registry'), context.get('caller')) }, frame),
    ),
  );
  app.post(
    '/admin/mirrors',
    showPage(async (context) => {
      const { owner = '', source } = await readForm(context);
      await addMirror(context.get('registry'), context.get('caller'), {
        owner,
        ...checkForm(MirrorRequest, { source }),
      });
      return context.redirect('/admin/mirrors', 303);
    }),
  );
  app.post(
    '/admin/mirrors/:id',
    showPage(async (context) => {
      const [registry, caller, id] = [
        context.get('registry'),
        context.get('caller'),
        context.req.param('id')!,
      ];
      const { owner = '', change } = await readForm(context);
      if (change === 'remove') await removeMirror(registry, caller, { owner, id });
      else await syncMirror(registry, caller, { owner, id, signal: context.req.raw.signal });
      return context.redirect('/admin/mirrors', 303);
    }),
  );
  app.get(
    '/admin/settings',
    showPage(async (context, frame) => {
      const { settings } = context.get('registry');
      demandRegistryAdmin(context.get('caller'));
      const shown = Object.entries(settings).filter(([name]) => !secret.has(name));
      return settingsPage(
        { settings: shown.map(([name, value]) => ({ name, value: JSON.stringify(value) ?? '', about: '' })) },
        frame,
      );
    }),
  );
}

/** Settings with secrets in them. */
const secret = new Set(['databaseUrl', 'logKey', 'providers']);

const changes: Readonly<Record<string, AccountChange>> = {
  admin: { isAdmin: true },
  'not-admin': { isAdmin: false },
  suspend: { suspended: 'by an administrator' },
  restore: { suspended: null },
};

async function showAccounts(
  context: Context<Environment>,
  frame: Frame,
  createdInvitation?: string,
): Promise<string> {
  const after = context.req.query('cursor');
  const { accounts, next } = await listAccounts(context.get('registry'), context.get('caller'), { after });
  const rows = accounts.map(({ name, ...rest }) => ({ ...rest, account: name }));
  return accountsPage({ accounts: rows, next, createdInvitation }, frame);
}
