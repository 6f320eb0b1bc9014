// Finds and repairs problems with the skills of a project and of the user.

export { type AgentFacts, factsOf } from './agent-facts.ts';
export { nameFor, readAgentsInSight, type SeenAgent, skillsOf } from './agent-view.ts';
export { type Check, type Fault, type Group, groups } from './check.ts';
export { checks } from './checks/index.ts';
export { type Listing, readListing } from './listing.ts';
export { type Finding, runDoctor } from './run-doctor.ts';
export { settleDeployments } from './settle-deployments.ts';
export type { Machine } from './survey.ts';
export { type Sights, whoSees } from './who-sees.ts';
