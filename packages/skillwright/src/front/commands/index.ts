// commands

export { openCatalog, showPath } from './catalog-input.ts';
export type { Asker, Choice, CommandContext } from './command-context.ts';
export { completion, completionOf } from './completion.ts';
export { type Client, type ClientOptions, createClient } from './create-client.ts';
export { type AnyCommand, defineCommand, type Effect, type View } from './define-command.ts';
export { type CliOption, optionsOf } from './options-of.ts';
export { parseInput } from './parse-input.ts';
export { openedSkills } from './quiz-gate.ts';
export { runCommand } from './run-command.ts';
export type { skills } from './skills.ts';
export { switchSkills } from './switch-skills.ts';
export { type CommandEntry, type CommandName, commandNames, commandTable, isCommandName } from './table.ts';
export { cutToWidth, padToWidth, splitCharacters, widthOf } from './text-width.ts';
export { createCatalogReader } from './with-catalog.ts';
