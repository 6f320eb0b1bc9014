// Reading a skill piece by piece.

export { withMore } from './cut-lines.ts';
export { listSources, type SourceEntry, type SourceListing, type SourcesRequest } from './list-sources.ts';
export { type OpenedFile, type OpenRequest, openFile, pathInside, readTextFile } from './open-file.ts';
export { type GatewayOptions, withIndex } from './open-gateway.ts';
export { type OutlineHeading, outlineSkill } from './outline-skill.ts';
export { searchSkill } from './search-skill.ts';
export { type ShownSection, type ShowRequest, showSection } from './show-section.ts';
