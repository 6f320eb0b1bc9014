// Where things are on disk.

export {
  type BuildManifest,
  MANIFEST_FILE,
  MANIFEST_VERSION,
  readBuildManifest,
  readSourcePath,
  readSpelledPath,
  spellSourcePath,
  writeBuildManifest,
} from './build-manifest.ts';
export { checkInside, leadsOut } from './check-inside.ts';
export { findMarkedRoot, listProjectDirectories } from './find-marked-root.ts';
export { findProject, isDirectory, isInRuntime, LOCAL_LOGS, OWN_DIRECTORY } from './find-project.ts';
export { type Found, findSkills } from './find-skills.ts';
export { canonicalPath, findRuntime, type RuntimeBase, runtimeBaseOf } from './locate-runtime.ts';
export {
  type CataloguedSkills,
  hasSkillFile,
  installedRoots,
  isCatalogName,
  type ResolveContext,
  type ResolvedSkill,
  resolveSkill,
  SKILL_FILE,
} from './resolve-skill.ts';
export { readState, updateState } from './state-file.ts';
export { type StorePaths, type StoreScope, storePaths } from './store-paths.ts';
