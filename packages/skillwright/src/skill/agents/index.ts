// The agents skc knows, and where each keeps its skills.

export { type Agent, agents } from './agents.ts';
export { resolveTargets, type Target, type TargetContext, userDirectory } from './resolve-targets.ts';
