// Third-party skills: fetch, scan, lock, update, verify.

export { adoptSkillsCliLock } from './adopt-skills-cli-lock.ts';
export { archiveLimits } from './archive/entry-guard.ts';
export { extractArchive } from './archive/extract-archive.ts';
export { diffSkill } from './diff-skill.ts';
export { copySkill } from './fetch/copy-skill.ts';
export { fetchSource } from './fetch/fetch-source.ts';
export { type FoundSkills, findSourceSkills } from './find/find-source-skills.ts';
export { acceptingUser } from './gate/demands.ts';
export { type Consent, clearLocked, noConsent, openGate } from './gate/gate.ts';
export {
  acceptedInLock,
  type InstalledEntry,
  readInstallFacts,
  readStoreLocks,
  type StoreLocks,
} from './install-facts.ts';
export { installSkills } from './install-skills.ts';
export { listOutdated } from './list-outdated.ts';
export {
  digestOf,
  entryOf,
  type Lock,
  LockedSkill,
  parseLock,
  type ReadLock,
  readLock,
  readLockText,
  renderLock,
} from './lock/lock.ts';
export { readSkillsCliLock } from './lock/skills-cli-lock.ts';
export { chooseUnused, contentRoot, listCache, removeCached, sumBytes } from './place/content-cache.ts';
export { type InstallContext, type InstallPlace, placeOf, placesInSight } from './place/install-place.ts';
export { readPlaced } from './place/place-records.ts';
export { noticeWords, readNews } from './place/remembered.ts';
export { spellInstall } from './plan/choose-skills.ts';
export type { InstallRequest } from './plan/plan-skill.ts';
export { reviewFiles } from './plan/preview.ts';
export { type RestoreRequest, restoreSkills } from './restore-skills.ts';
export { rememberedNotices } from './source/ask-registries.ts';
export type {
  FetchContext,
  FetchedSkill,
  FetchedSource,
  Resolution,
  SkillSource,
} from './source/fetched-source.ts';
export { spellSource } from './source/locked-source.ts';
export { readSource } from './source/read-source.ts';
export { type Changed, changePlace, recoverIfNeeded } from './transaction/change-place.ts';
export { hasJournal, readJournal, withPlaceLocked } from './transaction/journal.ts';
export { type UninstallRequest, uninstallSkills } from './uninstall-skills.ts';
export { type UpdateRequest, updateSkills } from './update-skills.ts';
export { openVerdicts, type Verdicts } from './verdicts.ts';
export {
  type CheckedDeployment,
  checkDeployments,
  checkRuntime,
  compareWithLock,
  type FileDrift,
  isHeld,
  isIntact,
} from './verify/check-installed.ts';
export { type Verified, verifyPlaces, verifySkills } from './verify-skills.ts';
