// Identity providers of people, and of CI jobs.

export { lowerCase } from './ci-identity.ts';
export type { Identities } from './identities.ts';
export { OauthError } from './oauth-error.ts';
export { discoverProvider, findProvider } from './providers.ts';
export { type VerifiedJob, verifyIdentityToken } from './verify-identity-token.ts';
