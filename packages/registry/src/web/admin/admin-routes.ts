// Pages for administrators of the registry.

import type { Context } from 'hono';
import { type AccountChange, AuditQuery } from 'skillwright/registry-protocol';
import { demandRegistryAdmin, isModerator, unauthorised } from '../../access/index.ts';
import { listAccounts, listInvitations, readAudit, withdrawInvitation } from '../../accounts/index.ts';
import { Failure } from '../../base/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { listAllMirrors } from '../../mirrors/index.ts';
import { listReports } from '../../moderation/index.ts';
import { type Settings, settingList } from '../../settings/index.ts';
import { formRoute } from '../forms/form-route.ts';
import type { SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { showPage } from '../frame-of.ts';
import { accountsPage, invitationForm, suspensionForm } from './accounts-page.ts';
import { settingsPage } from './admin-shell.ts';
import { auditPage } from './audit-page.ts';
import { mirrorForm, mirrorsPage } from './mirrors-page.ts';
import { reportsPage, resolutionForm } from './reports-page.ts';

/** `/admin/*`. */
export function adminPages(app: App): void {
  app.get('/admin', (context) => context.redirect('/admin/accounts', 303));
  app.get(
    '/admin/accounts',
    showPage((context, frame) => showAccounts(context, frame)),
  );
  formRoute(app, '/admin/accounts/:account', {
    form: suspensionForm,
    about: 'account',
    body: ({ change: [change = ''] = [] }) =>
      change === 'suspend' ? undefined : (changes[change] ?? { change }),
    again: (context, frame, sent) => showAccounts(context, frame, { sent }),
    next: () => '/admin/accounts',
  });
  formRoute(app, '/admin/invitations', {
    form: invitationForm,
    body: ({ account, owner, roles = [] }) => ({
      account: account?.[0],
      roles: owner?.[0] ? [{ owner: owner[0], roles }] : [],
    }),
    again: (context, frame, sent) => showAccounts(context, frame, { sent }),
    next: {
      show: (context, frame, { link }) => showAccounts(context, frame, { createdInvitation: link }),
    },
  });
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
      const query = AuditQuery.safeParse({
        account: actor === '' ? undefined : actor,
        action: action === '' ? undefined : action,
        cursor,
      });
      if (!query.success) throw new Failure('bad_request', 'the filter is not valid');
      const { entries, next } = await readAudit(context.get('registry'), context.get('caller'), query.data);
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
  app.get('/admin/reports', showPage(showReports));
  formRoute(app, '/admin/reports/:id/resolve', {
    form: resolutionForm,
    about: 'id',
    again: showReports,
    next: () => '/admin/reports',
  });
  app.get('/admin/mirrors', showPage(showMirrors));
  formRoute(app, '/admin/mirrors', {
    form: mirrorForm,
    typedParts: { owner: 'owner' },
    again: showMirrors,
    next: () => '/admin/mirrors',
  });
  formRoute(app, '/admin/mirrors/:id', {
    form: ({ change }) => (change?.[0] === 'remove' ? 'removeMirror' : 'syncMirror'),
    typedParts: { owner: 'owner' },
    next: () => '/admin/mirrors',
  });
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
  moderator: { isModerator: true },
  'not-moderator': { isModerator: false },
  restore: { suspended: null },
};

async function showReports(context: Context<Environment>, frame: Frame, sent?: SentForm): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  if (caller.account === undefined) throw unauthorised();
  if (!isModerator(caller)) throw new Failure('forbidden', 'only moderators of the registry see reports');
  const [open, closed] = await Promise.all([
    listReports(registry, caller, { isOpen: true }),
    listReports(registry, caller, { isOpen: false }),
  ]);
  return reportsPage({ reports: [...open, ...closed.toReversed()], sent }, frame);
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
