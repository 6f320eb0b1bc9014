// Those who vouch for people and CI jobs.

export { type CiIdentity, lowerCase } from './ci-identity.ts';
export type { Identities } from './identities.ts';
export { OauthError } from './oauth-error.ts';
export { discoverProvider, findProvider } from './providers.ts';
export { type VerifiedJob, verifyIdentityToken } from './verify-identity-token.ts';
