// Settings of a registry.

export { type CiIssuer, type IdentityProvider, isSafeTransport } from './identity.ts';
export { readSettings } from './read-settings.ts';
export { settingList } from './setting-list.ts';
export type { Settings } from './settings.ts';
