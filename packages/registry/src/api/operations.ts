// Every operation of the API. A route that is not made from this list fails a test.

import { documentOperations } from './document-operations.ts';
import { feedOperations } from './feed-operations.ts';
import { mirrorOperations } from './mirror-operations.ts';
import { moderationOperations } from './moderation-operations.ts';
import type { Operation } from './operation.ts';
import { publicationOperations } from './publication-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

export const operations: readonly Operation[] = [
  ...documentOperations,
  ...feedOperations,
  ...mirrorOperations,
  ...moderationOperations,
  ...publicationOperations,
  ...webhookOperations,
];
