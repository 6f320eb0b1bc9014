// Runs the scripts, toolsets and hooks of skills in a sandbox.

export {
  type ActiveTool,
  type ActiveToolsets,
  activateToolsets,
  readToolsets,
  type ToolsetOptions,
} from './activate-toolsets.ts';
export {
  defineToolset,
  type JsonSchema,
  type Toolset,
} from './define-toolset.ts';
export { dispatchHooks, type HookOptions, type HookReport } from './dispatch-hooks.ts';
export { distrustSkill, isTrusted, revokeGrants, trustDigest, trustSkill } from './grant-memory.ts';
export type { HookHandlers } from './hook-handlers.ts';
export { createHookMemory, type HookMemory } from './hook-memory.ts';
export type { HookDecision, HookEffect, HookJson } from './hook-output.ts';
export { type HookPayload, hasHooks, type UnaskedHooks } from './hook-selection.ts';
export { type Limits, limitsOf } from './limits.ts';
export { listScripts, openScript, type Script, scriptHelp } from './list-scripts.ts';
export { openSandbox } from './open-sandbox.ts';
export { findClosedParts, prepareSkill, type SkillCopy } from './prepare-skill.ts';
export {
  type RunScriptOptions,
  runDynamicIn,
  runScript,
  type ScriptEnvelope,
  scriptFailure,
} from './run-script.ts';
export type {
  ProcessEnd,
  RunResult,
  Sandbox,
  SandboxedCommand,
  SandboxedProcess,
  SandboxName,
  ShownPlace,
  StopReason,
} from './sandbox.ts';
export { declaredGrants, type Grant, readGrants, spellGrant } from './sandbox-grants.ts';
export { readShared, shareWith, spellArguments, unseenArguments } from './share-paths.ts';
export {
  type AccessContext,
  grantsOf,
  grantToSkill,
  keptDirectories,
  readSkillGrants,
  type SkillAccess,
  type SkillGrants,
  skillAccess,
} from './skill-access.ts';
export { readJsonSchema } from './toolset-schema.ts';
