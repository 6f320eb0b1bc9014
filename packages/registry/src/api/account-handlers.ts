// Accounts, namespaces, and what belongs to them.

import {
  acceptTransfer,
  addPublisher,
  changeAccount,
  changeMember,
  createInvitation,
  declineTransfer,
  endSession,
  listAccounts,
  listInvitations,
  listPublishers,
  listSessions,
  listTokens,
  offerTransfer,
  putOwner,
  readAudit,
  redeemInvitation,
  removePublisher,
  requestToken,
  revokeAll,
  revokeToken,
  showOwner,
  whoami,
  withdrawInvitation,
} from '../accounts/index.ts';
import { createWebhook, listWebhooks, removeWebhook } from '../changes/index.ts';
import { addMirror, listMirrors, removeMirror, syncMirror } from '../mirrors/index.ts';
import type { Handlers } from './operation.ts';

export const accountHandlers = {
  whoami: ({ registry, caller }) => whoami(registry, caller),
  listTokens: async ({ registry, caller }) => ({ tokens: await listTokens(registry, caller) }),
  createToken: ({ registry, caller, body }) => requestToken(registry, caller, body),
  revokeToken: ({ registry, caller, path: { id } }) => revokeToken(registry, caller, id),
  listSessions: async ({ registry, caller }) => ({ sessions: await listSessions(registry, caller) }),
  endSession: ({ registry, caller, path: { id } }) => endSession(registry, caller, id),
  listAccounts: ({ registry, caller, query: { cursor } }) =>
    listAccounts(registry, caller, { after: cursor }),
  changeAccount: ({ registry, caller, path: { account: name }, body: change }) =>
    changeAccount(registry, caller, { name, change }),
  revokeAccountTokens: async ({ registry, caller, path: { account } }) => ({
    revoked: await revokeAll(registry, caller, account),
  }),
  readAudit: ({ registry, caller, query }) => readAudit(registry, caller, query),
  listInvitations: async ({ registry, caller }) => ({
    invitations: await listInvitations(registry, caller),
  }),
  withdrawInvitation: ({ registry, caller, path: { id } }) => withdrawInvitation(registry, caller, id),
  acceptInvitation: async ({ registry, body: { code } }) => {
    const { account, token } = await redeemInvitation(registry, code);
    return { account: account.name, token };
  },
  createInvitation: ({ registry, caller, body }) => createInvitation(registry, caller, body),
  getOwner: ({ registry, caller, path: { owner } }) => showOwner(registry, caller, owner),
  async putOwner({ registry, caller, path: { owner: name }, body: request, context }) {
    const mustBeNew = context.req.header('if-none-match')?.trim() === '*';
    const { owner, isNew } = await putOwner(registry, caller, { name, request, mustBeNew });
    return isNew ? owner : context.json(owner, 200, { 'cache-control': 'no-store' });
  },
  changeMember: ({ registry, caller, path: { owner, account }, body: { roles } }) =>
    changeMember(registry, caller, { owner, account, roles }),
  offerTransfer: ({ registry, caller, path: { owner }, body: { to } }) =>
    offerTransfer(registry, caller, { owner, to }),
  acceptTransfer: ({ registry, caller, path: { id } }) => acceptTransfer(registry, caller, id),
  declineTransfer: ({ registry, caller, path: { id } }) => declineTransfer(registry, caller, id),
  listPublishers: async ({ registry, caller, path: { owner } }) => ({
    publishers: await listPublishers(registry, caller, owner),
  }),
  addPublisher: ({ registry, caller, path: { owner }, body: request }) =>
    addPublisher(registry, caller, { owner, request }),
  removePublisher: ({ registry, caller, path: { owner, id } }) =>
    removePublisher(registry, caller, { owner, id }),
  listMirrors: async ({ registry, caller, path: { owner } }) => ({
    mirrors: await listMirrors(registry, caller, owner),
  }),
  addMirror: ({ registry, caller, path: { owner }, body }) => addMirror(registry, caller, { owner, ...body }),
  removeMirror: ({ registry, caller, path: { owner, id } }) => removeMirror(registry, caller, { owner, id }),
  syncMirror: ({ registry, caller, path: { owner, id }, context }) =>
    syncMirror(registry, caller, { owner, id, signal: context.req.raw.signal }),
  listWebhooks: async ({ registry, caller, path: { owner } }) => ({
    webhooks: await listWebhooks(registry, caller, owner),
  }),
  createWebhook: ({ registry, caller, path: { owner }, body: { url } }) =>
    createWebhook(registry, caller, { owner, url }),
  removeWebhook: ({ registry, caller, path: { owner, id } }) =>
    removeWebhook(registry, caller, { owner, id }),
} satisfies Partial<Handlers>;
