// Every operation, declared once, and the table all front ends share.

export { openCatalog, showPath } from './catalog-input.ts';
export {
  type Asker,
  type Choice,
  COMPLETE_WORD,
  type CommandContext,
  DEPUTY_WORD,
  type FrontContext,
  type Launch,
  launchDeputy,
  type PickedChoice,
} from './command-context.ts';
export { type Client, type ClientOptions, createClient } from './create-client.ts';
export {
  type AnyCommand,
  type AnyDeclaration,
  defineCommand,
  type Effect,
  linesOf,
  type View,
} from './define-command.ts';
export { acceptFields, choice, flag, type InputOf, integer, text } from './fields.ts';
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
} from './run-command.ts';
export type { AnyMethod, Connection, OpenedFolder } from './session/method.ts';
export type { RpcMethodName } from './session/methods.ts';
export { settledLines, settleSwitched } from './settle.ts';
export type { skills } from './skills.ts';
export { readScopesOff, switchRecord } from './switch-record.ts';
export {
  type CommandEntry,
  type CommandName,
  commandGroups,
  commandNames,
  commandTable,
  withSchemas,
} from './table.ts';
export { cutToWidth, padToWidth, splitCharacters, widthOf, wrapText } from './text-width.ts';
