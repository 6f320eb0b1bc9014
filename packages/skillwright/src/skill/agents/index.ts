// agents

export { type Agent, agents } from './agents.ts';
export { resolveTargets, type Target, type TargetContext, userDirectory } from './resolve-targets.ts';
