// Reading a skill piece by piece.

export { listSources, type SourceEntry, type SourceListing, type SourcesRequest } from './list-sources.ts';
export { type OpenedFile, type OpenRequest, openFile } from './open-file.ts';
export { type GatewayOptions, type OpenedSkill, runtimeOf, withIndex } from './open-gateway.ts';
export { type OutlineHeading, outlineSkill } from './outline-skill.ts';
export { type ShownSection, type ShowRequest, showSection } from './show-section.ts';
