// Checks of a registry and its state.

export { examine } from './examine.ts';
export type { Finding } from './finding.ts';
export { readStatus } from './read-status.ts';
export { repairArchives, tidy } from './repair-archives.ts';
