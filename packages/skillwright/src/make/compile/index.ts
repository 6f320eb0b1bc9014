// From source to stub, and from stub to agents.

export { type BuildRequest, buildAndDeploy, previewBuild } from './build-and-deploy.ts';
export { BuildOutcome, Deployment } from './build-outcome.ts';
export { type BuildSkillOptions, type Built, buildSkill, hideNested, rebuildSkill } from './build-skill.ts';
export { type Cleaned, cleanRuntime, cleanSkill, isDeploymentOf, withdrawSkill } from './clean-skill.ts';
export { configuredTargets, confirmTargets } from './configured-targets.ts';
export { type DeployOptions, deploy, previewDeployments } from './deploy.ts';
export { type Imported, importSkill } from './import-skill.ts';
export { isBeside } from './links.ts';
export { listManagedSkills, type ManagedSkill } from './list-skills.ts';
export { isCurrentCopy, isPristineCopy } from './occupant.ts';
export { checkPaths, isForeignRuntime } from './open-for-build.ts';
export { MAX_STUB_LINES, renderStub } from './render-stub.ts';
export { watchSources } from './watch-sources.ts';
