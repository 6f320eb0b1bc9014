// The studio: pages on this machine that show skills, their use, and what agents see.

export type { ActivityView, ShownAccess } from './views/activity-view.ts';
export type { AgentsView, SeeingAgent } from './views/agents-view.ts';
export type { CatalogPageView } from './views/catalog-view.ts';
export type { FoundSection, FoundSkill, SearchView, ShownEvidence } from './views/search-view.ts';
export type { HeatedSection, SkillView, StudioFile, StudioFinding } from './views/skill-view.ts';
export type { ShownVerdict, SkillOrder, SkillsView, StudioSkill } from './views/skills-view.ts';
export type { StudioFrame, StudioSection } from './views/studio-frame.ts';
