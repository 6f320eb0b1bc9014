// Skills for an agent host: discovery, context, loading and permissions behind one session.

export { createSession } from './create-session.ts';
export { findActiveTool } from './find-active-tool.ts';
export { findMentions, type Mention, type MentionOptions } from './find-mentions.ts';
export { logSession, type SessionLogOptions } from './log-session.ts';
export {
  createTriggerMatcher,
  matchTriggers,
  type TriggerMatch,
  type TriggerMatcher,
  type TriggerReason,
} from './match-triggers.ts';
export {
  type InvocationOptions,
  type InvocationPlan,
  type PlannedHook,
  planInvocation,
  type RunDynamic,
} from './plan-invocation.ts';
export type { ResourceRequest, SkillResource } from './read-resource.ts';
export { LoadedSkill, type ResumeReport, SavedSession } from './saved-session.ts';
export type {
  CompactedSkills,
  LoadOptions,
  LoadResult,
  PermissionQuestion,
  PromptOptions,
  ResourceList,
  Session,
  SessionCatalog,
  SessionOptions,
  SessionQuery,
  SessionReport,
} from './session.ts';
export { quizInstead, quizSkills } from './session-quiz.ts';
export { hasScripts, type RunOptions } from './session-scripts.ts';
export { hasToolsets, type SkillTool } from './session-toolsets.ts';
export type { HiddenSkill } from './session-view.ts';
export {
  type DiscoveredSkill,
  type ProviderOptions,
  type ResourceType,
  SkillContextProvider,
} from './skill-context-provider.ts';
export type { SkillFileEntry, SkillFileList } from './skill-files.ts';
export type { DynamicCommand } from './substitute-arguments.ts';
export { type WireSkill, wireSkill } from './wire-skill.ts';
