// What a skill can do: what its frontmatter declares, and what its files show.

export { Ability, compareAbilities } from './compare-abilities.ts';
