// The only way to a skill: finds it, judges the request, returns it.

export {
  type Access,
  type AccessedSkill,
  type AccessOptions,
  type AccessQuestion,
  type Confirmation,
  createAccess,
  findRuntimeOf,
  type OpenedSkill,
  runtimeByName,
} from './access.ts';
export { findMeant, type Meant } from './find-meant.ts';
export {
  type FoundRecord,
  findRecord,
  type NamePolicy,
  recordAt,
  recordsNamed,
  type SkillReference,
} from './find-record.ts';
export { findOpened } from './opened-skills.ts';
