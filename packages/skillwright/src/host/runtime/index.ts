// Skills for an agent host: discovery, context, loading and permissions behind one session.

export type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
export { createSession } from './create-session.ts';
export { findMentions, type Mention } from './find-mentions.ts';
export { quizInstead } from './load-skill.ts';
export type { SessionLog } from './log-session.ts';
export {
  createTriggerMatcher,
  matchTriggers,
  type TriggerMatch,
  type TriggerMatcher,
  type TriggerReason,
} from './match-triggers.ts';
export {
  type InvocationPlan,
  planInvocation,
  type RunDynamic,
} from './plan-invocation.ts';
export type { ResourceRequest, SkillResource } from './read-resource.ts';
export { recordSession } from './record-session.ts';
export { type RecordedStep, Recording } from './recording.ts';
export { replay } from './replay.ts';
export { ActiveSkill, LoadedSkill, type ResumeReport, SavedSession, SessionId } from './saved-session.ts';
export {
  type LoadOptions,
  type LoadResult,
  type Session,
  type SessionCatalog,
  type SessionOptions,
  wireSkill,
} from './session.ts';
export type { HooksDecision, HooksQuestion } from './session-hooks.ts';
export { quizSkills } from './session-quiz.ts';
export { hasScripts, type RunOptions } from './session-scripts.ts';
export {
  type FindRequest,
  FoundSections,
  type OutlineRequest,
  renderHeadings,
  type SectionRequest,
  SkillOutline,
  SkillSection,
  sectionRequests,
  textPart,
} from './session-sections.ts';
export { findActiveTool, hasToolsets, type SkillTool } from './session-toolsets.ts';
export type { SkillContextProvider } from './skill-context-provider.ts';
export type { SkillFileList } from './skill-files.ts';
export { type DynamicCommand, substituteArguments } from './substitute-arguments.ts';
