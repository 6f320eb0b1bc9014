// All checks, in the order of their findings.

import type { Check } from '../check.ts';
import { acceptedRisk } from './accepted-risk.ts';
import { brokenLink } from './broken-link.ts';
import { cutSearch } from './cut-search.ts';
import { deployForm } from './deploy-form.ts';
import { deployment } from './deployment.ts';
import { drift } from './drift.ts';
import { foreignPlace } from './foreign-place.ts';
import { forgottenRecord } from './forgotten-record.ts';
import { interrupted } from './interrupted.ts';
import { leftovers } from './leftovers.ts';
import { listingBudget } from './listing-budget.ts';
import { localLogs } from './local-logs.ts';
import { missingProgram } from './missing-program.ts';
import { missingSkill } from './missing-skill.ts';
import { notDeployed } from './not-deployed.ts';
import { oldData } from './old-data.ts';
import { oldNode } from './old-node.ts';
import { orphanedBuild } from './orphaned-build.ts';
import { otherProject } from './other-project.ts';
import { sameName } from './same-name.ts';
import { staleBuild } from './stale-build.ts';
import { staleCopy } from './stale-copy.ts';
import { unreachableSkc } from './unreachable-skc.ts';
import { unreadDirectory } from './unread-directory.ts';
import { unreadablePlace } from './unreadable-place.ts';
import { unseenSkill } from './unseen-skill.ts';
import { unservedAgent } from './unserved-agent.ts';
import { unusableConfig } from './unusable-config.ts';
import { unusableLock } from './unusable-lock.ts';
import { unusableState } from './unusable-state.ts';
import { withdrawn } from './withdrawn.ts';

/** Every check. */
export const checks: readonly Check[] = [
  unusableConfig,
  unusableState,
  unusableLock,
  missingSkill,
  drift,
  acceptedRisk,
  withdrawn,
  staleBuild,
  orphanedBuild,
  notDeployed,
  deployForm,
  deployment,
  brokenLink,
  foreignPlace,
  otherProject,
  staleCopy,
  unreadablePlace,
  unseenSkill,
  cutSearch,
  unreadDirectory,
  sameName,
  listingBudget,
  unservedAgent,
  interrupted,
  leftovers,
  localLogs,
  forgottenRecord,
  oldData,
  missingProgram,
  unreachableSkc,
  oldNode,
];
