// Finds and repairs problems with the skills of a project and of the user.

export { type AgentFacts, factsOf } from './agent-facts.ts';
export { nameFor, readAgentsInSight, type SeenAgent, skillsOf } from './agents-in-sight.ts';
export { type Check, type Fault, type Group, groups } from './check.ts';
export { checks } from './checks/index.ts';
export type { Finding } from './finding.ts';
export type { Machine } from './machine.ts';
export { runDoctor } from './run-doctor.ts';
