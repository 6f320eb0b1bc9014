// Reads a skill piece by piece.

export { UNTITLED } from './find-headings.ts';
export {
  budgetSources,
  listSources,
  type SourceListing,
  type SourcesRequest,
} from './list-sources.ts';
export {
  describePage,
  fileNotFound,
  type OpenedFile,
  offsetOfLine,
  openFile,
  pageText,
  pathInside,
  plainPath,
  readTextFile,
  type TextPage,
  withMore,
} from './open-file.ts';
export {
  type FoundSection,
  type GatewayOptions,
  type ReadableIndex,
  searchSkill,
  withIndex,
} from './open-gateway.ts';
export { budgetOutline, type OutlineHeading, outlineIndexed } from './outline.ts';
export { outlineSkill } from './outline-skill.ts';
export { type ShownSection, showSection } from './show-section.ts';
