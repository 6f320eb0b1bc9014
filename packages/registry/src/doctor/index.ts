// Checks of a registry, and repairs.

export { examine } from './examine.ts';
export type { Finding } from './finding.ts';
export { repairArchives, tidy } from './repair-archives.ts';
