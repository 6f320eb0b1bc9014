// The front door of the library: every command as a function, and the errors they throw.

export {
  type Code,
  codes,
  type Diagnostic,
  type Severity,
  SkillwrightError,
} from './base/diagnostics/index.ts';
export { toolVersion } from './base/version.ts';
export {
  type Client,
  type ClientOptions,
  type CommandContext,
  type CommandName,
  commandNames,
  createClient,
} from './front/commands/index.ts';
