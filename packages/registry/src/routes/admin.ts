// Administration of the registry: accounts, invitations, the audit log.

import { AccountChange, AuditQuery, InvitationRequest, REGISTRY_API } from 'skillwright/registry-protocol';
import { changeAccount, listAccounts, revokeAll } from '../accounts/manage-accounts.ts';
import type { App } from '../app/create-app.ts';
import { readBody, readQuery } from '../app/read-body.ts';
import { readAudit } from '../audit/read-audit.ts';
import { createInvitation } from '../signin/invitations.ts';

/** `/admin/accounts`, `/admin/audit`, `/invitations`. */
export function admin(app: App): void {
  app.get(`/${REGISTRY_API}/admin/accounts`, async (context) =>
    context.json(
      await listAccounts(context.get('registry'), context.get('caller'), {
        after: context.req.query('cursor'),
      }),
      200,
      PRIVATE,
    ),
  );
  app.patch(`/${REGISTRY_API}/admin/accounts/:name`, async (context) => {
    const change = await readBody(context, AccountChange);
    const name = context.req.param('name');
    return context.json(
      await changeAccount(context.get('registry'), context.get('caller'), { name, change }),
    );
  });
  app.delete(`/${REGISTRY_API}/admin/accounts/:name/tokens`, async (context) => {
    const revoked = await revokeAll(
      context.get('registry'),
      context.get('caller'),
      context.req.param('name'),
    );
    return context.json({ revoked });
  });
  app.get(`/${REGISTRY_API}/admin/audit`, async (context) =>
    context.json(
      await readAudit(context.get('registry'), context.get('caller'), readQuery(context, AuditQuery)),
      200,
      PRIVATE,
    ),
  );
  app.post(`/${REGISTRY_API}/invitations`, async (context) => {
    const request = await readBody(context, InvitationRequest);
    const invitation = await createInvitation(context.get('registry'), context.get('caller'), request);
    return context.json(invitation, 201, PRIVATE);
  });
}

const PRIVATE = { 'cache-control': 'no-store' };
