// Skills, versions and downloads as the database keeps them.

export {
  countDownload,
  createDownloadCounter,
  downloadsByDay,
  flushDownloads,
} from './count-download.ts';
export {
  lockSkill,
  lookUpSkill,
  lookUpSkills,
  type SkillBatch,
  type SkillRow,
  skillColumns,
} from './find-skill.ts';
export { installableOf } from './installable.ts';
export {
  indexOf,
  loadFacts,
  ratingOf,
  renderIndex,
  type SkillFacts,
  summaryOf,
  versionsIn,
  viewOf,
} from './skill-view.ts';
export {
  indexVersionOf,
  isPublished,
  loadVersions,
  maySeeVersion,
  PUBLISHED,
  refuseFiles,
  type VersionRow,
  versionColumns,
} from './version-row.ts';
