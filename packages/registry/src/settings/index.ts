// Settings of a registry.

export { readSettings } from './read-settings.ts';
export { settingList } from './setting-list.ts';
export type { Settings } from './settings.ts';
export { type CiIssuer, type IdentityProvider, isSafeTransport } from './settings.ts';
