// Skills for an agent host: discovery, context, loading and permissions behind one session.

export type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
export { createSession } from './create-session.ts';
export { findActiveTool } from './find-active-tool.ts';
export { findMentions, type Mention, type MentionOptions } from './find-mentions.ts';
export type { SessionLog } from './log-session.ts';
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
export { type RecordedSession, recordSession } from './record-session.ts';
export { type RecordedStep, Recording } from './recording.ts';
export { type RecordedAnswer, type Replay, type ReplayedStep, replay } from './replay.ts';
export { ActiveSkill, LoadedSkill, type ResumeReport, SavedSession, SessionId } from './saved-session.ts';
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
export type { DiscoveredSkill, ResourceType, SkillContextProvider } from './skill-context-provider.ts';
export type { SkillFileEntry, SkillFileList } from './skill-files.ts';
export type { RememberOptions } from './skill-guard.ts';
export { type DynamicCommand, substituteArguments } from './substitute-arguments.ts';
export { type WireSkill, wireSkill } from './wire-skill.ts';
