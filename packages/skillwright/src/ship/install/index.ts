// Third-party skills: fetch, scan, lock, update, verify.

export { adoptSkillsCliLock } from './adopt-skills-cli-lock.ts';
export { type ArchiveLimits, archiveLimits } from './archive/entry-guard.ts';
export { type ExtractedArchive, extractArchive } from './archive/extract-archive.ts';
export { diffSkill } from './diff-skill.ts';
export { type Copied, copySkill } from './fetch/copy-skill.ts';
export type { FetchContext } from './fetch/fetch-context.ts';
export { fetchSource } from './fetch/fetch-source.ts';
export { type FindOptions, type FoundSkills, findSourceSkills } from './find/find-source-skills.ts';
export { acceptingUser } from './gate/acceptance-memory.ts';
export { clearLocked } from './gate/clear-locked.ts';
export { type ClearedContent, type Consent, noConsent, openGate } from './gate/gate.ts';
export { acceptedInLock, type InstalledEntry, readInstallFacts, readStoreLocks } from './install-facts.ts';
export { type InstalledSkill, installSkills } from './install-skills.ts';
export { listOutdated, type Outdated } from './list-outdated.ts';
export {
  digestOf,
  entryOf,
  LOCK_VERSION,
  type Lock,
  LockedSkill,
  LockTarget,
  parseLock,
  type ReadLock,
  readLock,
  readLockText,
  renderLock,
} from './lock/lock.ts';
export { type CheckedCopies, readSkillsCliLock, verifySkillsCli } from './lock/skills-cli-lock.ts';
export { chooseUnused, contentRoot, listCache, removeCached, sumBytes } from './place/content-cache.ts';
export { type InstallContext, type InstallPlace, placeOf, placesInSight } from './place/install-place.ts';
export { readPlaced } from './place/placed-record.ts';
export type { InstallRequest } from './plan/plan-skill.ts';
export {
  type Preview,
  type PreviewStatus,
  type Review,
  reviewFiles,
  reviewSkill,
} from './plan/preview.ts';
export {
  type Restored,
  type RestoreOutcome,
  type RestoreRequest,
  restoreSkills,
} from './restore-skills.ts';
export { rememberedNotices } from './source/ask-registries.ts';
export type {
  FetchedSkill,
  FetchedSource,
  RegistryFacts,
  Resolution,
  SkillSource,
} from './source/fetched-source.ts';
export { readSource, type SourceContext } from './source/read-source.ts';
export { noticeWords, readNews } from './source/source-news.ts';
export { spellSource } from './source/spell-source.ts';
export {
  type Changed,
  changePlace,
  type LockedPlace,
  recoverIfNeeded,
  type SkillPlan,
} from './transaction/change-place.ts';
export { hasJournal, readJournal } from './transaction/journal.ts';
export { withPlaceLocked } from './transaction/place-lock.ts';
export { type Uninstalled, type UninstallRequest, uninstallSkills } from './uninstall-skills.ts';
export { type Updated, type UpdateOutcome, type UpdateRequest, updateSkills } from './update-skills.ts';
export {
  type CheckedDeployment,
  checkDeployments,
  checkRuntime,
} from './verify/check-deployments.ts';
export { compareWithLock, type FileDrift, isHeld, isIntact } from './verify/compare-with-lock.ts';
export { type Verified, verifyPlaces, verifySkills } from './verify-skills.ts';
