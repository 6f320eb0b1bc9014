// Reviews, scans, reports, advisories, verification.

import { advisoryOperations, reportOperations } from './reports.ts';
import { scanOperations } from './rescan.ts';
import { reviewOperations } from './review-version.ts';
import { verificationOperations } from './verifications.ts';

export { listReports } from './reports.ts';
export { readReviewQueue, whyNotReviewer } from './review-version.ts';
export { listVerifications } from './verifications.ts';

export const moderationOperations = {
  ...advisoryOperations,
  ...reportOperations,
  ...scanOperations,
  ...reviewOperations,
  ...verificationOperations,
};
