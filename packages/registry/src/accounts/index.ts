// Accounts, namespaces, sign-in, tokens, trusted publishers.

export { changeMember } from './change-member.ts';
export { decideDeviceLogin, findDeviceLogin, pollDeviceLogin, startDeviceLogin } from './device-login.ts';
export { exchangeIdentityToken } from './exchange-identity-token.ts';
export { findSessionCaller, findTokenCaller, NO_TOKEN } from './find-caller.ts';
export { findManaged, findOwner, showOwner } from './find-owner.ts';
export { finishSignIn } from './finish-sign-in.ts';
export { createAdminToken, createFirstAdmin } from './first-start.ts';
export {
  createInvitation,
  findInvitation,
  listInvitations,
  redeemInvitation,
  withdrawInvitation,
} from './invitations.ts';
export { changeAccount, listAccounts, revokeAll } from './manage-accounts.ts';
export { addPublisher, listPublishers, removePublisher } from './manage-publishers.ts';
export { listTokens, requestToken, revokeToken } from './manage-tokens.ts';
export { putOwner } from './put-owner.ts';
export { readAudit } from './read-audit.ts';
export { endSession, listSessions, startSession } from './sessions.ts';
export { startAttempt } from './sign-in-attempt.ts';
export { acceptTransfer, declineTransfer, findOffer, offerTransfer, showOffered } from './transfers.ts';
export { whoami } from './whoami.ts';
