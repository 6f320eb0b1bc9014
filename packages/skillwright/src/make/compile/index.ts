// From source to stub, and from stub to agents.

export { backupName } from './backup-name.ts';
export { type BuildOutcome, type BuildRequest, buildAndDeploy, previewBuild } from './build-and-deploy.ts';
export { type BuildSkillOptions, type Built, buildSkill } from './build-skill.ts';
export { isForeignRuntime } from './claim-runtime.ts';
export { type Cleaned, cleanRuntime, cleanSkill, isDeploymentOf } from './clean-skill.ts';
export { configuredTargets } from './configured-targets.ts';
export { type Deployment, type DeployOptions, deploy, previewDeployments } from './deploy.ts';
export { hideNested } from './hide-nested.ts';
export { type Imported, importSkill } from './import-skill.ts';
export { isCurrentCopy, isPristineCopy } from './is-pristine-copy.ts';
export { isBeside } from './link-beside.ts';
export { listManagedSkills, type ManagedSkill } from './list-skills.ts';
export { checkPaths } from './open-for-build.ts';
export { removeLeftovers } from './remove-leftovers.ts';
export { MAX_STUB_LINES, renderStub } from './render-stub.ts';
export type { DeployMethod } from './stage-deployment.ts';
export { watchSources } from './watch-sources.ts';
