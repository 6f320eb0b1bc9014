// The front door of the library: every command as a function, and the errors they throw.

export type { CommandContext } from './commands/command-context.ts';
export { type Client, type ClientOptions, createClient } from './commands/create-client.ts';
export { type CommandName, commandNames } from './commands/table.ts';
export { type Code, codes } from './diagnostics/codes.ts';
export type { Diagnostic, Severity } from './diagnostics/diagnostic.ts';
export { SkillwrightError } from './diagnostics/skillwright-error.ts';
export { toolVersion } from './version.ts';
