// Every operation, declared once, and the table all front ends share.

export { openCatalog, showPath } from './catalog-input.ts';
export {
  type Asker,
  type Choice,
  COMPLETE_WORD,
  type CommandContext,
  type Connection,
  DEPUTY_WORD,
  type FrontContext,
  type Launch,
  type OpenedFolder,
  type PickedChoice,
} from './command-context.ts';
export { type Client, type ClientOptions, createClient } from './create-client.ts';
export {
  type AnyCommand,
  type AnyDeclaration,
  type AnyOperation,
  defineCommand,
  type Effect,
  type View,
} from './define-command.ts';
export { acceptFields } from './fields.ts';
export type { find } from './find.ts';
export { openPage } from './open-browser.ts';
export { openSession } from './open-session.ts';
export { type CliOption, optionNamed, optionsOf } from './options-of.ts';
export { parseInput, renameFields } from './parse-input.ts';
export {
  answerCommand,
  logContext,
  openContext,
  refusedInput,
  refuseUsersOwn,
  runCommand,
  runInSession,
} from './run-command.ts';
export type { skills } from './skills.ts';
export { readScopesOff, switchRecord, undoSwitch } from './switch-record.ts';
export {
  type CommandEntry,
  type CommandName,
  commandGroups,
  commandNames,
  commandTable,
  rpcMethods,
  withSchemas,
} from './table.ts';
export { cutToWidth, padToWidth, splitCharacters, widthOf } from './text-width.ts';
export { wrapText } from './wrap-text.ts';
