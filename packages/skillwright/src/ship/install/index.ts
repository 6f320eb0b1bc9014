// skillwright/install: skills from elsewhere, fetched, looked at, locked, updated and checked.

export { type ArchiveLimits, archiveLimits } from './archive-limits.ts';
export { type CopiedSkill, copySkill } from './copy-skill.ts';
export { type ExtractedArchive, type ExtractOptions, extractArchive } from './extract-archive.ts';
export type { FetchContext } from './fetch-context.ts';
export { fetchSource } from './fetch-source.ts';
export type {
  FetchedSkill,
  FetchedSource,
  RegistryFacts,
  Resolution,
  SkillSource,
} from './fetched-source.ts';
export { type FindOptions, findSourceSkills, type SourceSkill } from './find-source-skills.ts';
export { entryOf } from './install-derive.ts';
export { type InstallContext, type InstallPlace, placeOf, placesInSight } from './install-place.ts';
export type { InstallRequest } from './install-plan.ts';
export { type InstalledSkill, type InstallOutcome, installSkills } from './install-skills.ts';
export { statusAt } from './install-status.ts';
export {
  digestOf,
  LOCK_VERSION,
  type Lock,
  LockedSkill,
  LockTarget,
  parseLock,
  type ReadLock,
  readLock,
  renderLock,
} from './lock.ts';
export { readSkillsCliLock } from './lock-of-skills-cli.ts';
export { listOutdated, type OutdatedSkill } from './outdated.ts';
export { type PreviewedSkill, type PreviewStatus, type Review, reviewSkill } from './preview.ts';
export { readSource, type SourceContext } from './read-source.ts';
export { type RestoredSkill, type RestoreOutcome, type RestoreRequest, restoreSkills } from './restore.ts';
export { adoptSkillsCliLock } from './restore-skills-cli.ts';
export { spellSource } from './spell-source.ts';
export {
  type Changed,
  type ChangeRequest,
  changePlace,
  type LockedPlace,
  recoverIfNeeded,
  type SkillChangeRequest,
} from './transaction.ts';
export { hasJournal, readJournal } from './transaction-journal.ts';
export { withPlaceLocked } from './transaction-lock.ts';
export { type UninstalledSkill, type UninstallRequest, uninstallSkills } from './uninstall-skills.ts';
export { type UpdatedSkill, type UpdateOutcome, type UpdateRequest, updateSkills } from './update-skills.ts';
export { type VerifiedSkill, verifySkills } from './verify.ts';
export {
  type CheckedDeployment,
  checkDeployments,
  checkRuntime,
  type DeploymentState,
} from './verify-deployments.ts';
export { compareFiles, type FileDrift, isIntact } from './verify-files.ts';
export { type CheckedCliSkill, verifySkillsCli } from './verify-skills-cli.ts';
