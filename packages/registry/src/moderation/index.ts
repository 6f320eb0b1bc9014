// Reviews, quarantine, scans, reports, advisories.

export { publishAdvisory, withdrawAdvisory } from './advisories.ts';
export { finishPurges, purgeVersion, quarantineVersion } from './quarantine.ts';
export { listReports, reportSkill, resolveReport } from './reports.ts';
export { readScans, rescanVersion } from './rescan.ts';
export { readReviewQueue, reviewVersion, whyNotReviewer } from './review-version.ts';
