// The list of skills in a terminal.

export { ownTerminal } from './own-terminal.ts';
export { pickChoices } from './pick-choices.ts';
export { pickSkills, type SkillsInput } from './pick-skills.ts';
export { wrapText } from './wrap-text.ts';
