// Where things are on disk.

export { findProject, isDirectory, OWN_DIRECTORY } from './find-project.ts';
export {
  hasSkillFile,
  type ResolveContext,
  type ResolvedSkill,
  resolveSkill,
  SKILL_FILE,
} from './resolve-skill.ts';
export { type StorePaths, type StoreScope, storePaths } from './store-paths.ts';
