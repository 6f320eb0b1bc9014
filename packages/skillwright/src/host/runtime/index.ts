// Skills for an agent host: discovery, context, loading and permissions behind one session.

export type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
export { createSession } from './create-session.ts';
export { findMentions } from './find-mentions.ts';
export { quizInstead } from './load-skill.ts';
export type { SessionLog } from './log-session.ts';
export { createTriggerMatcher, matchTriggers, type TriggerMatcher } from './match-triggers.ts';
export { planInvocation, type RunDynamic } from './plan-invocation.ts';
export type { ResourceRequest } from './read-resource.ts';
export { recordSession } from './record-session.ts';
export { type RecordedStep, Recording } from './recording.ts';
export { replay } from './replay.ts';
export type { LoadOptions, Session, SessionCatalog, SessionOptions } from './session.ts';
export type { HooksDecision, HooksQuestion } from './session-hooks.ts';
export type { AnyMethod, CallOptions, WireMethod } from './session-method.ts';
export { permissionMethods, sessionMethods } from './session-methods.ts';
export { quizSkills } from './session-quiz.ts';
export { hasScripts, type RunOptions } from './session-scripts.ts';
export type { FindRequest, OutlineRequest, SectionRequest } from './session-sections.ts';
export { findActiveTool, hasToolsets, type SkillTool } from './session-toolsets.ts';
export type { SkillContextProvider } from './skill-context-provider.ts';
export { substituteArguments } from './substitute-arguments.ts';
export { wireSkill } from './wire-skill.ts';
