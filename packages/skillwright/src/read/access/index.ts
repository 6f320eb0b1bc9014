// The only way to a skill: finds it, judges the request, returns it.

export {
  type Access,
  type AccessQuestion,
  type Confirmation,
  type Confirmations,
  createAccess,
  findRuntimeOf,
  type OpenedRecord,
  type OpenedSkill,
  openRecord,
  runtimeByName,
} from './access.ts';
export { countMeant, findMeant } from './find-meant.ts';
export { type NamePolicy, recordAt, recordsNamed, type SkillReference } from './resolve-skill.ts';
