// The skill picker for terminals.

export { ownTerminal } from './own-terminal.ts';
export { pickChoices } from './pick-choices.ts';
export { pickSkills, type SkillsInput } from './pick-skills.ts';
export type { PickerTerminal } from './run-picker.ts';
