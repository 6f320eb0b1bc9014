// Pages for administrators of the registry.

import type { Context } from 'hono';
import {
  AccountChange,
  AuditQuery,
  InvitationRequest,
  MirrorRequest,
  OwnerName,
  Reason,
  ResolveRequest,
} from 'skillwright/registry-protocol';
import { demandRegistryAdmin } from '../../access/index.ts';
import {
  changeAccount,
  createInvitation,
  listAccounts,
  listInvitations,
  readAudit,
  withdrawInvitation,
} from '../../accounts/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { addMirror, listAllMirrors, removeMirror, syncMirror } from '../../mirrors/index.ts';
import { listReports, resolveReport } from '../../moderation/index.ts';
import { type Settings, settingList } from '../../settings/index.ts';
import type { Frame } from '../frame.ts';
import { checkForm, orAgain, readChoices, readForm, showPage } from '../frame-of.ts';
import type { SentForm } from '../sent-form.ts';
import { accountsPage } from './accounts-page.ts';
import { settingsPage } from './admin-shell.ts';
import { auditPage } from './audit-page.ts';
import { mirrorsPage } from './mirrors-page.ts';
import { reportsPage } from './reports-page.ts';

/** `/admin/*`. */
export function adminPages(app: App): void {
  app.get('/admin', (context) => context.redirect('/admin/accounts', 303));
  app.get(
    '/admin/accounts',
    showPage((context, frame) => showAccounts(context, frame)),
  );
  app.post(
    '/admin/accounts/:name',
    showPage((context, frame) => {
      const name = context.req.param('name')!;
      const again = (sent: SentForm) => showAccounts(context, frame, { sent });
      return orAgain(context, { form: `account ${name}`, main: 'reason', again }, async () => {
        const { change = '', reason } = await readForm(context);
        const wanted = change === 'suspend' ? { suspended: checkForm(Reason, reason) } : changes[change];
        await changeAccount(context.get('registry'), context.get('caller'), {
          name,
          change: checkForm(AccountChange, wanted),
        });
        return context.redirect('/admin/accounts', 303);
      });
    }),
  );
  app.post(
    '/admin/invitations',
    showPage((context, frame) => {
      const again = (sent: SentForm) => showAccounts(context, frame, { sent });
      return orAgain(context, { form: 'invitation', main: 'account', again }, async () => {
        const { account, owner } = await readForm(context);
        const roles = owner ? [{ owner, roles: await readChoices(context, 'roles') }] : [];
        const request = checkForm(InvitationRequest, { account, roles });
        const { link } = await createInvitation(context.get('registry'), context.get('caller'), request);
        context.header('cache-control', 'no-store');
        return showAccounts(context, frame, { createdInvitation: link });
      });
    }),
  );
  app.post(
    '/admin/invitations/:id/withdraw',
    showPage(async (context) => {
      await withdrawInvitation(context.get('registry'), context.get('caller'), context.req.param('id')!);
      return context.redirect('/admin/accounts', 303);
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
    showPage((context, frame) => showReports(context, frame)),
  );
  app.post(
    '/admin/reports/:id/resolve',
    showPage((context, frame) => {
      const id = context.req.param('id')!;
      const again = (sent: SentForm) => showReports(context, frame, sent);
      return orAgain(context, { form: `resolve ${id}`, main: 'resolution', again }, async () => {
        const { resolution } = await readForm(context);
        await resolveReport(context.get('registry'), context.get('caller'), {
          id,
          ...checkForm(ResolveRequest, { resolution }),
        });
        return context.redirect('/admin/reports', 303);
      });
    }),
  );
  app.get(
    '/admin/mirrors',
    showPage((context, frame) => showMirrors(context, frame)),
  );
  app.post(
    '/admin/mirrors',
    showPage((context, frame) => {
      const again = (sent: SentForm) => showMirrors(context, frame, sent);
      return orAgain(context, { form: 'mirror', main: 'source', again }, async () => {
        const { owner: given = '', source, everyMinutes } = await readForm(context);
        const { owner, ...request } = checkForm(MirrorRequest.extend({ owner: OwnerName }), {
          owner: given.replace(/^@/, ''),
          source,
          ...(everyMinutes ? { everyMinutes: Number(everyMinutes) } : {}),
        });
        await addMirror(context.get('registry'), context.get('caller'), { owner, ...request });
        return context.redirect('/admin/mirrors', 303);
      });
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
      const shown = settingList.map(({ name, flag, help }) => ({
        name: flag,
        value: secret.has(name) && settings[name] !== undefined ? 'not shown' : spell(settings[name]),
        about: help,
      }));
      return settingsPage({ settings: shown }, frame);
    }),
  );
}

/** Settings with secrets in them. */
const secret: ReadonlySet<keyof Settings> = new Set([
  'databaseUrl',
  'logSigningKey',
  'metricsToken',
  'providers',
]);

function spell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const changes: Readonly<Record<string, AccountChange>> = {
  admin: { isAdmin: true },
  'not-admin': { isAdmin: false },
  restore: { suspended: null },
};

async function showReports(context: Context<Environment>, frame: Frame, sent?: SentForm): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  demandRegistryAdmin(caller);
  const [open, closed] = await Promise.all([
    listReports(registry, caller, { isOpen: true }),
    listReports(registry, caller, { isOpen: false }),
  ]);
  return reportsPage({ reports: [...open, ...closed.toReversed()], next: null, sent }, frame);
}

async function showMirrors(context: Context<Environment>, frame: Frame, sent?: SentForm): Promise<string> {
  const mirrors = await listAllMirrors(context.get('registry'), context.get('caller'));
  return mirrorsPage({ mirrors, sent }, frame);
}

async function showAccounts(
  context: Context<Environment>,
  frame: Frame,
  shown: { readonly createdInvitation?: string; readonly sent?: SentForm } = {},
): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const after = context.req.query('cursor');
  const { accounts, next } = await listAccounts(registry, caller, { after });
  const rows = accounts.map(({ name, ...rest }) => ({ ...rest, account: name }));
  const invitations = await listInvitations(registry, caller);
  return accountsPage({ accounts: rows, next, invitations, ...shown }, frame);
}
