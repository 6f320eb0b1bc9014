// The user's tokens for registries: in the keyring of the system where there is one, else in a file only the user can read.

export { openCredentials } from './open-credentials.ts';
