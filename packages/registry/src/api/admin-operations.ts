// Operations of the registry's administrators: accounts, invitations, the audit log.

import {
  AccountChange,
  AccountInfo,
  AccountPage,
  AuditPage,
  AuditQuery,
  Invitation,
  InvitationRequest,
} from 'skillwright/registry-protocol';
import * as z from 'zod';
import { changeAccount, createInvitation, listAccounts, readAudit, revokeAll } from '../accounts/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const usual = ['unauthorised', 'forbidden'] as const;

export const adminOperations: readonly Operation[] = [
  defineOperation({
    id: 'listAccounts',
    method: 'GET',
    path: '/api/v1/admin/accounts',
    summary: 'Accounts by name',
    scope: 'admin',
    query: z.object({ cursor: z.string().max(100).optional().describe('`next` of the page before') }),
    status: 200,
    response: AccountPage,
    errors: ['bad_request', ...usual],
    run: ({ registry, caller, query: { cursor } }) => listAccounts(registry, caller, { after: cursor }),
  }),
  defineOperation({
    id: 'changeAccount',
    method: 'PATCH',
    path: '/api/v1/admin/accounts/{account}',
    summary: 'Suspend an account, or make it an administrator of the registry',
    scope: 'admin',
    body: AccountChange,
    status: 200,
    response: AccountInfo,
    errors: ['bad_request', 'not_found', 'conflict', ...usual],
    run: ({ registry, caller, path: { account }, body }) =>
      changeAccount(registry, caller, { name: account, change: body }),
  }),
  defineOperation({
    id: 'revokeAccountTokens',
    method: 'DELETE',
    path: '/api/v1/admin/accounts/{account}/tokens',
    summary: 'Revoke every token of an account and end its sessions',
    scope: 'admin',
    status: 200,
    response: z.object({ revoked: z.number().int().nonnegative() }),
    errors: ['not_found', ...usual],
    run: async ({ registry, caller, path: { account } }) => ({
      revoked: await revokeAll(registry, caller, account),
    }),
  }),
  defineOperation({
    id: 'readAudit',
    method: 'GET',
    path: '/api/v1/admin/audit',
    summary: 'The audit log, newest first; with `owner`, also for admins of that namespace (scope `owner`)',
    scope: 'admin',
    query: AuditQuery,
    status: 200,
    response: AuditPage,
    errors: ['bad_request', ...usual],
    run: ({ registry, caller, query }) => readAudit(registry, caller, query),
  }),
  defineOperation({
    id: 'createInvitation',
    method: 'POST',
    path: '/api/v1/invitations',
    summary: 'Invite a person with a link that works once',
    scope: 'admin',
    body: InvitationRequest,
    status: 201,
    response: Invitation,
    errors: ['bad_request', 'not_found', 'name_taken', ...usual],
    run: ({ registry, caller, body }) => createInvitation(registry, caller, body),
  }),
];
