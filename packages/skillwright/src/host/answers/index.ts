// Answers of a session, as schemas that are types: what a session returns is what `skc rpc` sends.

export {
  ActiveSkill,
  CompactedSkills,
  LoadedSkill,
  ResumeReport,
  SavedSession,
  SessionId,
  type SessionReport,
  SessionStatus,
} from './session-answers.ts';
export {
  type DynamicCommand,
  FoundSections,
  InvocationPlan,
  LoadResult,
  Mention,
  Remark,
  ResourceList,
  ScriptResult,
  type SkillFileList,
  SkillMetadata,
  SkillOutline,
  SkillResource,
  SkillSection,
  TriggerMatch,
  type TriggerReason,
  WireScope,
} from './skill-answers.ts';
