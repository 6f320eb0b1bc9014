// Publication of versions, and changes of skills.

export { admitPublication, admitPublications } from './admit-publication.ts';
export { hasPublished, skillOperations } from './change-skill.ts';
export { type AppliedChange, changeVersion, stateOperations } from './change-version.ts';
export type { Inspection, PublishedManifest } from './inspect-archive.ts';
export { inspectArchive } from './inspect-archive.ts';
export { inspectInThread } from './inspector.ts';
export { checkInspection, publish } from './publish.ts';
export { refreshSkills, reindexSkills, settleSkills } from './refresh-skill.ts';
export { seeFacts, seeSkill, seeVersion } from './see-skill.ts';
export { proofOperations } from './skill-proofs.ts';
export { readStates } from './states.ts';
export { type CheckedVersion, storeVersions } from './store-version.ts';
export { findArchive, finishPurges, removeUnusedArchive } from './stored-archive.ts';
