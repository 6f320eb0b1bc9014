// Abilities of a skill: those its frontmatter declares, and those its files show.

export { Ability, compareAbilities } from './compare-abilities.ts';
