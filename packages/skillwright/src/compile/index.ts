// From source to stub, and from stub to agents.

export { type Agent, agents } from './agents.ts';
export { type BuildSkillOptions, type BuiltSkill, buildSkill } from './build-skill.ts';
export { type CleanedSkill, cleanNamedSkill } from './clean-skill.ts';
export { type Deployment, type DeployOptions, deploy } from './deploy.ts';
export { type ImportedSkill, importSkill } from './import-skill.ts';
export { type ListedSkill, listSkills, type SkillStatus } from './list-skills.ts';
export { MAX_STUB_LINES, renderStub } from './render-stub.ts';
export { resolveTargets, type Target, type TargetContext, userDirectory } from './resolve-targets.ts';
export type { DeployMethod } from './stage-deployment.ts';
