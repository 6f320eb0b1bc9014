// Accounts, namespaces, sign-in, tokens, trusted publishers.

import { accountOperations } from './accounts.ts';
import { invitationOperations } from './invitations.ts';
import { offerOperations } from './offers.ts';
import { ownerOperations } from './owners.ts';
import { publisherOperations } from './publishers.ts';
import { sessionOperations } from './sessions.ts';
import { tokenOperations } from './tokens.ts';

export { decideDeviceLogin, findDeviceLogin, pollDeviceLogin, startDeviceLogin } from './device-login.ts';
export { findSessionCaller, findTokenCaller, NO_TOKEN } from './find-caller.ts';
export { findInvitation, redeemInvitation } from './invitations.ts';
export { findOffer, showOffered } from './offers.ts';
export { findManaged, findOwner, putOwner } from './owners.ts';
export { exchangeIdentityToken } from './publishers.ts';
export { endSession, startSession } from './sessions.ts';
export { finishSignIn, startAttempt } from './sign-in.ts';
export { createAdminToken, createFirstAdmin } from './tokens.ts';

/** The work of operations about people and namespaces. */
export const peopleOperations = {
  ...accountOperations,
  ...invitationOperations,
  ...offerOperations,
  ...ownerOperations,
  ...publisherOperations,
  ...sessionOperations,
  ...tokenOperations,
};
