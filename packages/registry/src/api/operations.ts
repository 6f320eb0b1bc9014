// Every operation of the API. A route that is not made from this list fails a test.

import { accountOperations } from './account-operations.ts';
import { adminOperations } from './admin-operations.ts';
import { documentOperations } from './document-operations.ts';
import { feedOperations } from './feed-operations.ts';
import { logOperations } from './log-operations.ts';
import { mirrorOperations } from './mirror-operations.ts';
import { moderationOperations } from './moderation-operations.ts';
import type { Operation } from './operation.ts';
import { ownerOperations } from './owner-operations.ts';
import { publicationOperations } from './publication-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

export const operations: readonly Operation[] = [
  ...accountOperations,
  ...adminOperations,
  ...documentOperations,
  ...feedOperations,
  ...logOperations,
  ...mirrorOperations,
  ...moderationOperations,
  ...ownerOperations,
  ...publicationOperations,
  ...webhookOperations,
];
