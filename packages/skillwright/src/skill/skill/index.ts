// Skills: opening one, its name and identity, finding them, and where they are compiled.

export {
  type BuildManifest,
  type DeployForm,
  type DeployMode,
  MANIFEST_FILE,
  MANIFEST_VERSION,
  readBuildManifest,
  readSourcePath,
  readSpelledPath,
  spellSourcePath,
  writeBuildManifest,
} from './build-manifest.ts';
export { type Before, type BuildRecord, buildRecord, recordDirectory } from './build-record.ts';
export { type Found, type FoundProblem, findSkills } from './find-skills.ts';
export { describeBrokenEntry, describeEvent, leftOutOf } from './left-out.ts';
export {
  findRuntime,
  isReadingPlace,
  isStored,
  type LocatedSkill,
  listReadingPlaces,
  listRuntimes,
  type RuntimeBase,
  readingPlace,
  runtimeBaseOf,
  scopeOf,
  storeOwner,
} from './locate-runtime.ts';
export {
  bodyOf,
  findSkillProblem,
  type KnownPlace,
  nameDiagnostics,
  notText,
  openSkill,
  plainText,
  repairsOf,
  requireUsable,
  type Skill,
  skillAt,
  skillWithText,
} from './open-skill.ts';
export {
  hasSkillFile,
  isMisspelled,
  isSkill,
  mayBeSkill,
  misspelledHelp,
  nameSkill,
  namesOfSkill,
  notASkill,
  SKILL_FILE,
  writtenName,
} from './skill-file.ts';
