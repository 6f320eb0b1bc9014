// Publication of versions, and changes of skills.

export { admitPublication, admitPublications, type VersionAddress } from './admit-publication.ts';
export { changeSkill, hasPublished, rateSkill, setLevel } from './change-skill.ts';
export { type AppliedChange, changeVersion, yankVersion } from './change-version.ts';
export { inspectArchive } from './inspect-archive.ts';
export type { Inspection } from './inspection.ts';
export { inspectInThread } from './inspector.ts';
export { logEarlierVersions } from './log-versions.ts';
export { checkInspection, publish } from './publish.ts';
export { findArchive } from './read-archive.ts';
export { refreshSkill, refreshSkills, reindexSkills, settleSkills } from './refresh-skill.ts';
export { seeFacts, seeSkill, seeVersion } from './see-skill.ts';
export { listEntries, proveVersion } from './skill-proofs.ts';
export { readStates } from './states.ts';
export { type CheckedVersion, storeVersions } from './store-version.ts';
export { removeUnusedArchive } from './stored-archive.ts';
