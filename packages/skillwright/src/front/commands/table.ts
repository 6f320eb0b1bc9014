// The table that all front ends share: a name, a line about it, and the file that exports a declaration of that name.
// Declarations are loaded one at a time, so that a command loads only its own code.

import type { AnyCommand, AnyDeclaration, CommandDeclaration, ResultSchema } from './define-command.ts';
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
  readonly group?: CommandGroup;
  /** On a command under an old name: how it is spelled now. Help, completion and the man page leave it out. */
  readonly now?: string;
  load(): Promise<object>;
}

function row<Load extends Row['load']>(summary: string, load: Load) {
  return { summary, load };
}

/** Commands of one group. */
function group<Rows extends Record<string, Row>>(name: CommandGroup, rows: Rows) {
  const entries = Object.entries(rows).map(([command, one]) => [command, { ...one, group: name }]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name] & { group: CommandGroup } };
}

/** Every command by group, the most used first. */
const rows = {
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
    verification: row('Apply for the level verified, or decide', () => import('./verification.ts')),
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
} as const satisfies Record<string, Row>;

type Table = typeof rows;

/** Each row must lead to a declaration of its name that says what it touches. */
type Declarations = {
  readonly [Name in keyof Table]: {
    load(): Promise<Record<Name, AnyDeclaration>>;
  };
};
type Declared<Name extends keyof Table> =
  Awaited<ReturnType<Table[Name]['load']>> extends Record<Name, infer Declaration>
    ? Declaration extends CommandDeclaration<infer F, infer R>
      ? Omit<Declaration, 'output'> & { readonly input: FieldsSchema<F>; readonly output: ResultSchema<R> }
      : Declaration
    : never;

/** A command as front ends list it; its declaration is loaded on demand. */
export interface CommandEntry<Command = AnyCommand> {
  readonly summary: string;
  readonly group: CommandGroup;
  load(): Promise<Command>;
  /** How it is spelled now, if the name is an old one. */
  readonly now?: string;
  /** The declaration without the schemas of a command that must start fast. */
  declared(): Promise<AnyDeclaration>;
}

/** The name of a command. */
export type CommandName = keyof Table;

// One loop, because every start runs it.
const commands: Record<string, object> = {};
for (const [name, { summary, group, now, load }] of Object.entries<Row>(rows satisfies Declarations)) {
  const declared = async () => (await load())[name as never];
  commands[name] = { summary, group, now, declared, load: async () => withSchemas(await declared()) };
}

/** Every command by its name. */
export const commandTable = commands as unknown as {
  readonly [Name in CommandName]: CommandEntry<Declared<Name>>;
};

/** The command with schemas, for every front end but the command line. */
export async function withSchemas(command: AnyDeclaration): Promise<AnyCommand> {
  const { fields, output } = command;
  const { inputSchema } = await import('./field-schema.ts');
  return {
    ...command,
    input: inputSchema(fields),
    output: typeof output === 'function' ? await output() : output,
  };
}

/** The names of all commands, in the order of the table. */
export const commandNames = Object.keys(commandTable) as CommandName[];
