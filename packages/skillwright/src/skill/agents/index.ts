// The agents skc knows, and where each keeps its skills.

export { type Agent, agents, marksOf, SHARED_SKILLS } from './agents.ts';
export { isAgentTarget } from './project-target.ts';
export {
  agentDirectoryOf,
  resolveTargets,
  type Target,
  userDirectories,
  userDirectory,
} from './resolve-targets.ts';
