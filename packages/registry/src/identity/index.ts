// Identity providers of people, and of CI jobs.

export { lowerCase } from './ci-identity.ts';
export type { Identities } from './issuer-keys.ts';
export { discoverProvider, findProvider } from './providers.ts';
export { OauthError, type VerifiedJob, verifyIdentityToken } from './verify-identity-token.ts';
