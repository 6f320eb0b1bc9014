// The table that all front ends share: a name, a line about it, and the file that exports a declaration of that name.
// Declarations are loaded one at a time, so that a command loads only its own code.

import type {
  AnyCommand,
  AnyDeclaration,
  AnyOperation,
  CommandDefinition,
  QuickDefinition,
} from './define-command.ts';
import type { FieldsSchema } from './fields.ts';

/** The groups of commands, in the order help shows them. */
export const commandGroups = [
  'Write',
  'Read',
  'Find',
  'Install',
  'Publish',
  'Trust',
  'Run',
  'Serve',
  'Set up',
] as const;

/** A group of commands. */
type CommandGroup = (typeof commandGroups)[number];

interface Row {
  readonly summary: string;
  /** Only on commands. */
  readonly group?: CommandGroup;
  /** On a command under an old name: how it is spelled now. Help, completion and the man page leave it out. */
  readonly now?: string;
  /** The method name of an operation that only `skc rpc` offers. Without it, the command line and the library offer it. */
  readonly rpc?: string;
  /** Waits for a skill's program; the server answers other requests meanwhile. */
  readonly isLong?: boolean;
  load(): Promise<object>;
}

/** Every operation: the commands by group, the most used first, then the methods in the order a client meets them. */
const operationTable = {
  init: {
    group: 'Write',
    summary: 'Create a skill, or set up a project for skills',
    load: () => import('./init.ts'),
  },
  lint: {
    group: 'Write',
    summary: 'Check skills for mistakes, and fix the simple ones',
    load: () => import('./lint.ts'),
  },
  build: {
    group: 'Write',
    summary: 'Compile skills and link them into your agents',
    load: () => import('./build.ts'),
  },
  test: {
    group: 'Write',
    summary: 'Test whether agents find your skills and their sections',
    load: () => import('./test.ts'),
  },
  stats: {
    group: 'Write',
    summary: 'Show which parts of your skills agents read',
    load: () => import('./stats.ts'),
  },
  validate: {
    group: 'Write',
    summary: "Check a skill's frontmatter and print it normalised",
    load: () => import('./validate.ts'),
  },
  clean: { group: 'Write', summary: 'Delete what a build made', load: () => import('./clean.ts') },
  sync: {
    group: 'Write',
    summary: 'Merge local access logs into the main log',
    load: () => import('./sync.ts'),
  },
  show: { group: 'Read', summary: 'Print one section of a skill', load: () => import('./show.ts') },
  outline: { group: 'Read', summary: 'List the headings of a skill', load: () => import('./outline.ts') },
  search: { group: 'Read', summary: 'Search inside one skill', load: () => import('./search.ts') },
  open: { group: 'Read', summary: 'Print one file of a skill', load: () => import('./open.ts') },
  sources: { group: 'Read', summary: 'List the files of a skill', load: () => import('./sources.ts') },
  load: { group: 'Read', summary: 'Print a skill as an agent receives it', load: () => import('./load.ts') },
  quiz: { group: 'Read', summary: 'Take the quiz that unlocks a skill', load: () => import('./quiz.ts') },
  find: {
    group: 'Find',
    summary: 'Find skills by purpose',
    load: () => import('./find.ts'),
  },
  list: {
    group: 'Find',
    summary: 'List skills and the agents that see them',
    load: () => import('./list.ts'),
  },
  info: { group: 'Find', summary: 'Show everything about one skill', load: () => import('./info.ts') },
  skills: {
    group: 'Find',
    summary: 'Turn skills on or off, in a list you can search',
    load: () => import('./skills.ts'),
  },
  trawl: {
    group: 'Find',
    now: 'find --remote',
    summary: 'Search the network for skills to install',
    load: () => import('./find.ts'),
  },
  roots: {
    group: 'Find',
    now: 'list --paths',
    summary: 'Show the search paths and what each contains',
    load: () => import('./roots.ts'),
  },
  install: {
    group: 'Install',
    summary: 'Install skills, or restore those in the lock',
    load: () => import('./install.ts'),
  },
  update: {
    group: 'Install',
    summary: 'Update installed skills and keep your edits',
    load: () => import('./update.ts'),
  },
  outdated: {
    group: 'Install',
    summary: 'List installed skills that have a newer version',
    load: () => import('./outdated.ts'),
  },
  uninstall: { group: 'Install', summary: 'Remove installed skills', load: () => import('./uninstall.ts') },
  diff: {
    group: 'Install',
    summary: 'Show how an installed skill was edited',
    load: () => import('./diff.ts'),
  },
  cache: { group: 'Install', summary: 'Show or prune the download cache', load: () => import('./cache.ts') },
  publish: {
    group: 'Publish',
    summary: 'Publish skills to a registry or as static files',
    load: () => import('./publish.ts'),
  },
  login: {
    group: 'Publish',
    summary: 'Log in to a registry',
    load: () => import('./login.ts'),
  },
  logout: {
    group: 'Publish',
    summary: 'Log out, and revoke the token',
    load: () => import('./logout.ts'),
  },
  whoami: {
    group: 'Publish',
    summary: 'Show your account at a registry',
    load: () => import('./whoami.ts'),
  },
  yank: {
    group: 'Publish',
    summary: 'Withdraw one version of a published skill',
    load: () => import('./yank.ts'),
  },
  deprecate: {
    group: 'Publish',
    summary: 'Mark a published skill as deprecated',
    load: () => import('./deprecate.ts'),
  },
  access: {
    group: 'Publish',
    summary: 'Set who sees a published skill, and who publishes it',
    load: () => import('./access.ts'),
  },
  owner: {
    group: 'Publish',
    summary: 'Manage owners and their members',
    load: () => import('./owner.ts'),
  },
  registry: {
    group: 'Publish',
    summary: 'Watch the transparency log of a registry',
    load: () => import('./registry.ts'),
  },
  token: {
    group: 'Publish',
    summary: 'Manage your tokens',
    load: () => import('./token.ts'),
  },
  rate: {
    group: 'Publish',
    summary: 'Rate a skill with one to five stars',
    load: () => import('./rate.ts'),
  },
  scan: { group: 'Trust', summary: 'Scan skills for anything dangerous', load: () => import('./scan.ts') },
  report: {
    group: 'Trust',
    summary: 'Report on skills for the person who decides about them',
    load: () => import('./report.ts'),
  },
  verify: {
    group: 'Trust',
    summary: 'Check installed skills against the lock',
    load: () => import('./verify.ts'),
  },
  doctor: {
    group: 'Trust',
    summary: 'Find and repair broken links, builds and settings',
    load: () => import('./doctor.ts'),
  },
  ci: {
    group: 'Trust',
    summary: 'Run verify, scan and lint together, for CI',
    load: () => import('./ci.ts'),
  },
  run: { group: 'Run', summary: "Run a skill's script in a sandbox", load: () => import('./run.ts') },
  scripts: {
    group: 'Run',
    summary: 'List the scripts of a skill and what each needs',
    load: () => import('./scripts.ts'),
  },
  tools: {
    group: 'Run',
    summary: 'List the tools a skill provides, or call one',
    load: () => import('./tools.ts'),
  },
  config: { group: 'Set up', summary: 'Show or change the configuration', load: () => import('./config.ts') },
  agents: {
    group: 'Set up',
    summary: 'List the agents skc knows and where they keep skills',
    load: () => import('./agents.ts'),
  },
  explain: {
    group: 'Set up',
    summary: 'Explain an error code or a rule',
    load: () => import('./explain.ts'),
  },
  completion: {
    group: 'Set up',
    summary: 'Print a completion script for your shell',
    load: () => import('./completion.ts'),
  },
  version: {
    group: 'Set up',
    summary: 'Show the version and what it runs on',
    load: () => import('./version.ts'),
  },
  initialize: {
    rpc: 'initialize',
    summary: 'Set the folder of the connection, and whether the user trusts it',
    load: () => import('./session/initialize.ts'),
  },
  listSkills: {
    rpc: 'skills.list',
    summary: 'List the skills visible from the folder, or from another directory',
    load: () => import('./session/skills-operations.ts'),
  },
  searchSkills: {
    rpc: 'skills.search',
    summary: 'Find skills by purpose',
    load: () => import('./session/skills-operations.ts'),
  },
  loadSkill: {
    rpc: 'skills.load',
    summary: 'Get the text of a skill for the model, or a reminder if it already has it',
    load: () => import('./session/skills-operations.ts'),
  },
  readSkillFile: {
    rpc: 'skills.read',
    summary: 'Read a text file of a skill',
    load: () => import('./session/skills-operations.ts'),
  },
  listResources: {
    rpc: 'skills.resources',
    summary: 'List the files of a skill, or of one directory of it',
    load: () => import('./session/skills-operations.ts'),
  },
  planSkill: {
    rpc: 'skills.plan',
    summary: 'Get everything needed to invoke a skill with arguments',
    load: () => import('./session/skills-operations.ts'),
  },
  findMentions: {
    rpc: 'skills.mentions',
    summary: 'Find the skills a user message names, as $name, as a link or by path',
    load: () => import('./session/skills-operations.ts'),
  },
  findTriggers: {
    rpc: 'skills.triggers',
    summary: 'Suggest skills for a message by their triggers and purpose',
    load: () => import('./session/skills-operations.ts'),
  },
  showQuiz: {
    rpc: 'skills.quiz',
    summary: 'Get the quizzes of a skill and their state',
    load: () => import('./session/skills-operations.ts'),
  },
  answerQuiz: {
    rpc: 'skills.answerQuiz',
    summary: 'Answer questions of a quiz, all of them or none',
    load: () => import('./session/skills-operations.ts'),
  },
  setEnabled: {
    rpc: 'skills.setEnabled',
    summary: 'Switch skills on or off permanently, for every program',
    load: () => import('./session/skills-operations.ts'),
  },
  listScripts: {
    rpc: 'scripts.list',
    summary: 'List the scripts of a skill',
    load: () => import('./session/scripts-operations.ts'),
  },
  runSkillScript: {
    rpc: 'scripts.run',
    isLong: true,
    summary: 'Run a script of a skill in a sandbox',
    load: () => import('./session/scripts-operations.ts'),
  },
  activateTools: {
    rpc: 'tools.activate',
    isLong: true,
    summary: 'Start the tools of a skill',
    load: () => import('./session/tools-operations.ts'),
  },
  listTools: {
    rpc: 'tools.list',
    summary: 'List the tools of active skills',
    load: () => import('./session/tools-operations.ts'),
  },
  callTool: {
    rpc: 'tools.call',
    isLong: true,
    summary: 'Call a tool of an active skill',
    load: () => import('./session/tools-operations.ts'),
  },
  deactivateTools: {
    rpc: 'tools.deactivate',
    summary: 'Stop the tools of a skill',
    load: () => import('./session/tools-operations.ts'),
  },
  dispatchHooks: {
    rpc: 'hooks.dispatch',
    isLong: true,
    summary: 'Send an event to the hooks of loaded and active skills, and get their decision',
    load: () => import('./session/dispatch-hooks.ts'),
  },
  showPrompt: {
    rpc: 'context.prompt',
    summary: 'Get the list of skills for the system prompt',
    load: () => import('./session/context-operations.ts'),
  },
  inspectContext: {
    rpc: 'context.inspect',
    summary: 'Show the state: loaded skills, prompt usage and catalogs',
    load: () => import('./session/context-operations.ts'),
  },
  contextCompacted: {
    rpc: 'context.compacted',
    summary: 'Report that the conversation was shortened, so that skills are sent again when needed',
    load: () => import('./session/context-operations.ts'),
  },
  saveSession: {
    rpc: 'session.save',
    summary: 'Get a snapshot to resume the session later',
    load: () => import('./session/session-operations.ts'),
  },
  resumeSession: {
    rpc: 'session.resume',
    isLong: true,
    summary: 'Resume a saved session, and get what has changed since',
    load: () => import('./session/session-operations.ts'),
  },
  checkPermission: {
    rpc: 'permissions.check',
    summary: 'Check the rules for a tool and a skill',
    load: () => import('./session/permissions-operations.ts'),
  },
  rememberPermission: {
    rpc: 'permissions.remember',
    summary: 'Allow a skill that the user has confirmed',
    load: () => import('./session/permissions-operations.ts'),
  },
  cancelRequest: {
    rpc: 'requests.cancel',
    summary: 'Cancel a running request and everything it started',
    load: () => import('./session/cancel-request.ts'),
  },
} as const satisfies Record<string, Row>;

type Table = typeof operationTable;

/** Each row must lead to a declaration of its name that says what it touches. */
type Declarations = {
  readonly [Name in keyof Table]: {
    load(): Promise<Record<Name, Table[Name] extends { rpc: string } ? AnyOperation : AnyDeclaration>>;
  };
};
type Declared<Name extends keyof Table> =
  Awaited<ReturnType<Table[Name]['load']>> extends Record<Name, infer Declaration>
    ? Declaration extends QuickDefinition<infer Fields, infer Output>
      ? CommandDefinition<FieldsSchema<Fields>, Output>
      : Declaration
    : never;

/** An operation as front ends list it; its declaration is loaded on demand. */
export interface Entry<Declaration> {
  readonly summary: string;
  readonly isLong?: boolean;
  load(): Promise<Declaration>;
}

/** A row of the commands. */
export interface CommandEntry extends Entry<AnyCommand> {
  readonly group: CommandGroup;
  /** How it is spelled now, if the name is an old one. */
  readonly now?: string;
  /** The declaration without the schemas of a command that must start fast. */
  declared(): Promise<AnyDeclaration>;
}

/** The name of a command. */
export type CommandName = {
  [Name in keyof Table]: Table[Name] extends { rpc: string } ? never : Name;
}[keyof Table];

// One loop, because every start runs it.
const commands: Record<string, object> = {};
const methods: Record<string, object> = {};
for (const [name, { summary, group, now, rpc, isLong = false, load }] of Object.entries<Row>(
  operationTable satisfies Declarations,
)) {
  const declared = async () => (await load())[name as never];
  if (rpc === undefined)
    commands[name] = { summary, group, now, declared, load: async () => withSchemas(await declared()) };
  else methods[rpc] = { summary, isLong, load: declared };
}

/** Every command by its name. */
export const commandTable = commands as unknown as {
  readonly [Name in CommandName]: Entry<Declared<Name>> & Pick<CommandEntry, 'group' | 'now' | 'declared'>;
};

/** The command with schemas, for every front end but the command line. */
export async function withSchemas(command: AnyDeclaration): Promise<AnyCommand> {
  if (!('fields' in command)) return command;
  const { fields, output, ...rest } = command;
  const { inputSchema } = await import('./field-schema.ts');
  return { ...rest, input: inputSchema(fields), output: await output() };
}

/** The names of all commands, in the order of the table. */
export const commandNames = Object.keys(commandTable) as CommandName[];

/** The name of a method of the protocol. */
export type RpcMethodName = Extract<Table[keyof Table], { rpc: string }>['rpc'];

/** Every method of the protocol by its name. */
export const rpcMethods = methods as unknown as Readonly<Record<RpcMethodName, Entry<AnyOperation>>>;
