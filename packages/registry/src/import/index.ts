// Many skills at once.

export { type ImportCounts, importSkills } from './import-skills.ts';
