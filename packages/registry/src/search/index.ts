// Search: words of skills, and what a process remembers of them.

export { indexSkills, unindexSkill } from './index-skill.ts';
export { readFacets } from './read-facets.ts';
export { noteEverything, pruneChanges } from './search-changes.ts';
export { createSearchState } from './search-memory.ts';
export { readSearchQuery, searchSkills } from './search-skills.ts';
