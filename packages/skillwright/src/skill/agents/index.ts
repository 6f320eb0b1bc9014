// The agents skc knows, and where each keeps its skills.

export { marksOf } from './agent-marks.ts';
export { type Agent, agents, SHARED_SKILLS } from './agents.ts';
export {
  resolveTargets,
  type Target,
  type TargetContext,
  userDirectories,
  userDirectory,
} from './resolve-targets.ts';
