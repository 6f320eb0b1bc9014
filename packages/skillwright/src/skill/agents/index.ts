// The agents skc knows, and where each keeps its skills.

export { type Agent, agents, marksOf, SHARED_SKILLS } from './agents.ts';
export {
  resolveTargets,
  type Target,
  type TargetContext,
  userDirectories,
  userDirectory,
} from './resolve-targets.ts';
