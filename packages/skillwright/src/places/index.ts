// Where things are on disk.

export {
  type BuildManifest,
  MANIFEST_FILE,
  MANIFEST_VERSION,
  readBuildManifest,
  readSourcePath,
  spellSourcePath,
} from './build-manifest.ts';
export { findProject, isDirectory, isInRuntime, OWN_DIRECTORY } from './find-project.ts';
export { type Found, findSkills } from './find-skills.ts';
export {
  type CataloguedSkills,
  hasSkillFile,
  type ResolveContext,
  type ResolvedSkill,
  resolveSkill,
  SKILL_FILE,
} from './resolve-skill.ts';
export { type StorePaths, type StoreScope, storePaths } from './store-paths.ts';
