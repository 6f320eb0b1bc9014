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

function row<Load extends Row['load']>(summary: string, load: Load) {
  return { summary, load };
}

function method<const Name extends string, Load extends Row['load']>(rpc: Name, summary: string, load: Load) {
  return { rpc, summary, load };
}

/** Commands of one group. */
function group<Rows extends Record<string, Row>>(name: CommandGroup, rows: Rows) {
  const entries = Object.entries(rows).map(([command, one]) => [command, { ...one, group: name }]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name] & { group: CommandGroup } };
}

// Where the operations of a session are declared.
const inSkills = () => import('./session/skills-operations.ts');
const inSession = () => import('./session/session-operations.ts');
const inRunning = () => import('./session/running-operations.ts');

/** Every operation: the commands by group, the most used first, then the methods in the order a client meets them. */
const operationTable = {
  ...group('Write', {
    init: row('Create a skill, or set up a project for skills', () => import('./init.ts')),
    lint: row('Check skills for mistakes, and fix the simple ones', () => import('./lint.ts')),
    build: row('Compile skills and link them into your agents', () => import('./build.ts')),
    test: row('Test whether agents find your skills and their sections', () => import('./test.ts')),
    stats: row('Show which parts of your skills agents read', () => import('./stats.ts')),
    validate: row("Check a skill's frontmatter and print it normalised", () => import('./validate.ts')),
    clean: row('Delete what a build made', () => import('./clean.ts')),
    sync: row('Merge local access logs into the main log', () => import('./sync.ts')),
  }),
  ...group('Read', {
    show: row('Print one section of a skill', () => import('./show.ts')),
    outline: row('List the headings of a skill', () => import('./outline.ts')),
    search: row('Search inside one skill', () => import('./search.ts')),
    open: row('Print one file of a skill', () => import('./open.ts')),
    sources: row('List the files of a skill', () => import('./sources.ts')),
    load: row('Print a skill as an agent receives it', () => import('./load.ts')),
    quiz: row('Take the quiz that unlocks a skill', () => import('./quiz.ts')),
  }),
  ...group('Find', {
    find: row('Find skills by purpose', () => import('./find.ts')),
    list: row('List skills and the agents that see them', () => import('./list.ts')),
    info: row('Show everything about one skill', () => import('./info.ts')),
    skills: row('Turn skills on or off, in a list you can search', () => import('./skills.ts')),
    trawl: {
      ...row('Search the network for skills to install', () => import('./find.ts')),
      now: 'find --remote',
    },
    roots: {
      ...row('Show the search paths and what each contains', () => import('./roots.ts')),
      now: 'list --paths',
    },
  }),
  ...group('Install', {
    install: row('Install skills, or restore those in the lock', () => import('./install.ts')),
    update: row('Update installed skills and keep your edits', () => import('./update.ts')),
    outdated: row('List installed skills that have a newer version', () => import('./outdated.ts')),
    uninstall: row('Remove installed skills', () => import('./uninstall.ts')),
    diff: row('Show how an installed skill was edited', () => import('./diff.ts')),
    cache: row('Show or prune the download cache', () => import('./cache.ts')),
  }),
  ...group('Publish', {
    publish: row('Publish skills to a registry or as static files', () => import('./publish.ts')),
    login: row('Log in to a registry', () => import('./login.ts')),
    logout: row('Log out, and revoke the token', () => import('./logout.ts')),
    whoami: row('Show your account at a registry', () => import('./whoami.ts')),
    yank: row('Withdraw one version of a published skill', () => import('./yank.ts')),
    deprecate: row('Mark a published skill as deprecated', () => import('./deprecate.ts')),
    access: row('Set who sees a published skill, and who publishes it', () => import('./access.ts')),
    owner: row('Manage owners and their members', () => import('./owner.ts')),
    registry: row('Watch the transparency log of a registry', () => import('./registry.ts')),
    token: row('Manage your tokens', () => import('./token.ts')),
    rate: row('Rate a skill with one to five stars', () => import('./rate.ts')),
  }),
  ...group('Trust', {
    scan: row('Scan skills for anything dangerous', () => import('./scan.ts')),
    report: row('Report on skills: findings, abilities, licences, trust', () => import('./report.ts')),
    verify: row('Check installed skills against the lock', () => import('./verify.ts')),
    doctor: row('Find and repair broken links, builds and settings', () => import('./doctor.ts')),
    ci: row('Run verify, scan and lint together, for CI', () => import('./ci.ts')),
  }),
  ...group('Run', {
    run: row("Run a skill's script in a sandbox", () => import('./run.ts')),
    scripts: row('List the scripts of a skill and what each needs', () => import('./scripts.ts')),
    tools: row('List the tools a skill provides, or call one', () => import('./tools.ts')),
  }),
  ...group('Set up', {
    config: row('Show or change the configuration', () => import('./config.ts')),
    agents: row('List the agents skc knows and where they keep skills', () => import('./agents.ts')),
    explain: row('Explain an error code or a rule', () => import('./explain.ts')),
    completion: row('Print a completion script for your shell', () => import('./completion.ts')),
    version: row('Show the version and what it runs on', () => import('./version.ts')),
  }),
  initialize: method(
    'initialize',
    'Set the folder of the connection, and whether the user trusts it',
    inSession,
  ),
  listSkills: method(
    'skills.list',
    'List the skills visible from the folder, or from another directory',
    inSkills,
  ),
  searchSkills: method('skills.search', 'Find skills by purpose', inSkills),
  loadSkill: method(
    'skills.load',
    'Get the text or the stub of a skill for the model, or a reminder if it already has it',
    inSkills,
  ),
  readSkillFile: method('skills.read', 'Read a text file of a skill', inSkills),
  listResources: method('skills.resources', 'List the files of a skill, or of one directory of it', inSkills),
  outlineSkill: method('skills.outline', 'List the headings of a skill', inSkills),
  showSection: method('skills.section', 'Read one section of a skill', inSkills),
  findInSkill: method('skills.findIn', 'Search inside a skill', inSkills),
  planSkill: method('skills.plan', 'Get everything needed to invoke a skill with arguments', inSkills),
  findMentions: method(
    'skills.mentions',
    'Find the skills a user message names, as $name, as a link or by path',
    inSkills,
  ),
  findTriggers: method(
    'skills.triggers',
    'Suggest skills for a message by their triggers and purpose',
    inSkills,
  ),
  showQuiz: method('skills.quiz', 'Get the quizzes of a skill and their state', inSkills),
  answerQuiz: method('skills.answerQuiz', 'Answer questions of a quiz, all of them or none', inSkills),
  setEnabled: method('skills.setEnabled', 'Switch skills on or off permanently, for every program', inSkills),
  listScripts: method('scripts.list', 'List the scripts of a skill', inRunning),
  runSkillScript: {
    ...method('scripts.run', 'Run a script of a skill in a sandbox', inRunning),
    isLong: true,
  },
  activateTools: { ...method('tools.activate', 'Start the tools of a skill', inRunning), isLong: true },
  listTools: method('tools.list', 'List the tools of active skills', inRunning),
  callTool: { ...method('tools.call', 'Call a tool of an active skill', inRunning), isLong: true },
  deactivateTools: method('tools.deactivate', 'Stop the tools of a skill', inRunning),
  dispatchHooks: {
    ...method(
      'hooks.dispatch',
      'Send an event to the hooks of loaded and active skills, and get their decision',
      inRunning,
    ),
    isLong: true,
  },
  decideHooks: method(
    'hooks.decide',
    'Decide about the hooks of a skill the user has not trusted',
    inRunning,
  ),
  showPrompt: method('context.prompt', 'Get the list of skills for the system prompt', inSession),
  inspectContext: method(
    'context.inspect',
    'Show the state: loaded skills, prompt usage and catalogs',
    inSession,
  ),
  contextCompacted: method(
    'context.compacted',
    'Report that the conversation was shortened, so that skills are sent again when needed',
    inSession,
  ),
  saveSession: method('session.save', 'Get a snapshot to resume the session later', inSession),
  resumeSession: {
    ...method('session.resume', 'Resume a saved session, and get what has changed since', inSession),
    isLong: true,
  },
  checkPermission: method('permissions.check', 'Check the rules for a tool and a skill', inSession),
  rememberPermission: method('permissions.remember', 'Allow a skill that the user has confirmed', inSession),
  cancelRequest: method('requests.cancel', 'Cancel a running request and everything it started', inSession),
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
