// Examines a registry.

import type { Registry } from '../registry.ts';
import { checkArchives, checkOrphans } from './checks/archives.ts';
import { checkDatabase, checkMirrors, checkWebhooks } from './checks/database.ts';
import { checkDocuments } from './checks/documents.ts';
import { checkLog } from './checks/log.ts';
import { checkCopies, checkDisk, checkLock, checkSettings } from './checks/machine.ts';
import { checkSearch } from './checks/search.ts';
import type { Check, Finding } from './finding.ts';

const checks: readonly Check[] = [
  checkSettings,
  checkDatabase,
  checkLock,
  checkLog,
  checkArchives,
  checkOrphans,
  checkDocuments,
  checkSearch,
  checkCopies,
  checkMirrors,
  checkWebhooks,
  checkDisk,
];

/** Runs every check. One that fails itself is an error of its own and hides nothing. */
export async function examine(
  registry: Registry,
  options: { readonly isThorough: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks)
    try {
      findings.push(...(await check(registry, options)));
    } catch (error) {
      findings.push({
        check: check.name.replace(/^check/, '').toLowerCase(),
        state: 'error',
        message: (error as Error).message,
      });
    }
  return findings;
}
