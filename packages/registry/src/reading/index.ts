// Versions read section by section, without installing them.

export { findVersion, parseWanted, type WantedVersion } from './find-version.ts';
export { type OpenVersion, openVersion } from './open-version.ts';
export {
  forgetReading,
  prepareReading,
  type Reading,
  type StoredEntry,
  storeReadings,
} from './prepare-version.ts';
export { readingTools, spellAddresses } from './reading-tools.ts';
export { closeDesk, removeUnpacked, type VersionDesk } from './version-cache.ts';
