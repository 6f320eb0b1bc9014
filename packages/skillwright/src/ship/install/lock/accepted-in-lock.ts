// Findings that the project's lock accepts.

import type { ReviewedFinding } from '../../../guard/scan/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { readLock } from './lock.ts';

/** Findings the project's lock accepts, as reviews. E211 when the lock cannot be used. */
export function acceptedInLock(workspace: Workspace): ReviewedFinding[] {
  if (workspace.project === undefined) return [];
  const { lock } = readLock(workspace.store('project').lock);
  return Object.entries(lock.skills).flatMap(([skill, { accepted }]) =>
    accepted.map(({ finding, rule, file, digest, by, reason, at }) => ({
      id: finding,
      rule,
      skill,
      file,
      digest,
      by,
      why: reason,
      at,
    })),
  );
}
