// Search: words of skills, and what a process remembers of them.

export { indexSkills, unindexSkill } from './index-skill.ts';
export { readFacets } from './read-facets.ts';
export { readSearchQuery } from './read-search-query.ts';
export { noteEverything, pruneChanges } from './search-changes.ts';
export { createSearchState, type SearchState } from './search-memory.ts';
export { searchSkills } from './search-skills.ts';
