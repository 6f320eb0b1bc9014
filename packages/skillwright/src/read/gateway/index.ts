// Reads a skill piece by piece.

export { budgetOutline } from './budget-outline.ts';
export { budgetSources } from './budget-sources.ts';
export { offsetOfLine, withMore } from './cut-lines.ts';
export { UNTITLED } from './find-headings.ts';
export { listSources, type SourceListing, type SourcesRequest } from './list-sources.ts';
export {
  type OpenedFile,
  openFile,
  pathInside,
  plainPath,
  readTextFile,
} from './open-file.ts';
export { type GatewayOptions, withIndex } from './open-gateway.ts';
export type { OutlineHeading } from './outline.ts';
export { outlineIndexed } from './outline-indexed.ts';
export { outlineSkill } from './outline-skill.ts';
export { describePage, pageText, type TextPage } from './page-text.ts';
export { type FoundSection, searchSkill } from './search-skill.ts';
export { type ShownSection, showSection } from './show-section.ts';
export { fileNotFound } from './suggest-files.ts';
