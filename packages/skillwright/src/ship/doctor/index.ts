// Finds and repairs problems with the skills of a project and of the user.

export { factsOf } from './agent-facts.ts';
export {
  nameFor,
  readAgentsInSight,
  readListing,
  type SeenAgent,
  skillsOf,
} from './agent-view.ts';
export { groups } from './check.ts';
export { type Finding, runDoctor } from './run-doctor.ts';
export { settleDeployments } from './settle-deployments.ts';
export { type Sights, whoSees } from './who-sees.ts';
