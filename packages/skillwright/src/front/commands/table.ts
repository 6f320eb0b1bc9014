// The table that all front ends share: a name, a line about it, and the file that exports a declaration of that name.
// Declarations are loaded one at a time, so that a command pays only for what it uses.

import type { AnyCommand, AnyOperation } from './define-command.ts';

interface Row {
  readonly summary: string;
  /** The name of the method, for an operation of `skc rpc` alone. The others are on the command line and in the library. */
  readonly rpc?: string;
  /** It waits for programs of skills: others are answered meanwhile. */
  readonly isLong?: boolean;
  load(): Promise<object>;
}

/** Every operation: the commands in the order help shows them, then the methods in the order a client meets them. */
const operationTable = {
  init: { summary: 'Make a new skill, or a project that holds skills', load: () => import('./init.ts') },
  lint: { summary: 'Find what is wrong with skills', load: () => import('./lint.ts') },
  validate: {
    summary: 'Print the normalised manifest of a skill, or what is wrong with it',
    load: () => import('./validate.ts'),
  },
  build: { summary: 'Compile skills to stubs and give them to agents', load: () => import('./build.ts') },
  list: { summary: 'List skills and how they stand', load: () => import('./list.ts') },
  info: { summary: 'Show everything known of one skill', load: () => import('./info.ts') },
  clean: { summary: 'Remove what a build made', load: () => import('./clean.ts') },
  publish: {
    summary: 'Publish skills to a registry, or as files for a web host',
    load: () => import('./publish.ts'),
  },
  outline: { summary: 'List the headings of a skill', load: () => import('./outline.ts') },
  show: { summary: 'Print a section of a skill', load: () => import('./show.ts') },
  search: { summary: 'Find sections of a skill', load: () => import('./search.ts') },
  open: { summary: 'Print a file of a skill', load: () => import('./open.ts') },
  sources: { summary: 'List the files of a skill', load: () => import('./sources.ts') },
  find: { summary: 'Find skills among all that are installed', load: () => import('./find.ts') },
  trawl: { summary: 'Find skills on the network', load: () => import('./trawl.ts') },
  skills: {
    summary: 'Pick skills from a list, and switch them on or off',
    load: () => import('./skills.ts'),
  },
  roots: {
    summary: 'Say where skills were looked for, and what was found',
    load: () => import('./roots.ts'),
  },
  agents: { summary: 'List agents and where they keep skills', load: () => import('./agents.ts') },
  install: {
    summary: 'Install skills from elsewhere, or restore what the lock names',
    load: () => import('./install.ts'),
  },
  update: { summary: 'Update installed skills, and keep local edits', load: () => import('./update.ts') },
  uninstall: { summary: 'Remove installed skills', load: () => import('./uninstall.ts') },
  outdated: {
    summary: 'Show which installed skills have something newer',
    load: () => import('./outdated.ts'),
  },
  verify: { summary: 'Check installed skills against the lock', load: () => import('./verify.ts') },
  diff: {
    summary: 'Show what was changed in an installed skill',
    load: () => import('./diff.ts'),
  },
  cache: { summary: 'Show and prune the cache of downloaded skills', load: () => import('./cache.ts') },
  doctor: {
    summary: 'Find out what is wrong with skills and links, and repair it',
    load: () => import('./doctor.ts'),
  },
  scan: { summary: 'Look for harm in skills before they are used', load: () => import('./scan.ts') },
  ci: {
    summary: 'Verify, scan and lint a project in one run, for CI and hooks',
    load: () => import('./ci.ts'),
  },
  stats: { summary: 'Show what was read of a skill, and what never was', load: () => import('./stats.ts') },
  sync: { summary: 'Merge local access logs into the main log', load: () => import('./sync.ts') },
  load: { summary: 'Give a whole skill as an agent takes it in', load: () => import('./load.ts') },
  quiz: {
    summary: 'Take the quiz of a skill that is closed until it is passed',
    load: () => import('./quiz.ts'),
  },
  scripts: {
    summary: 'List the scripts of a skill, or say what one can do',
    load: () => import('./scripts.ts'),
  },
  run: { summary: 'Run a script of a skill in a sandbox', load: () => import('./run.ts') },
  tools: { summary: 'List the tools a skill brings along, or call one', load: () => import('./tools.ts') },
  explain: { summary: 'Explain a diagnostic code or a lint rule', load: () => import('./explain.ts') },
  config: { summary: 'Read and write configuration', load: () => import('./config.ts') },
  completion: { summary: 'Print a completion script for a shell', load: () => import('./completion.ts') },
  version: { summary: 'Say which version this is and what it runs on', load: () => import('./version.ts') },
  initialize: {
    rpc: 'initialize',
    summary: 'Say which folder the connection is about, and whether the user trusts it',
    load: () => import('./session/initialize.ts'),
  },
  listSkills: {
    rpc: 'skills.list',
    summary: 'List the skills seen from the folder, or from another directory',
    load: () => import('./session/list-skills.ts'),
  },
  searchSkills: {
    rpc: 'skills.search',
    summary: 'Find skills by what they are for',
    load: () => import('./session/search-skills.ts'),
  },
  loadSkill: {
    rpc: 'skills.load',
    summary: 'Get the text of a skill for the model, or a reminder when it has that already',
    load: () => import('./session/load-skill.ts'),
  },
  readSkillFile: {
    rpc: 'skills.read',
    summary: 'Read a text file of a skill',
    load: () => import('./session/read-skill-file.ts'),
  },
  listResources: {
    rpc: 'skills.resources',
    summary: 'List the files of a skill, or of one directory of it',
    load: () => import('./session/list-resources.ts'),
  },
  planSkill: {
    rpc: 'skills.plan',
    summary: 'Get what is needed to carry a skill out with arguments',
    load: () => import('./session/plan-skill.ts'),
  },
  findMentions: {
    rpc: 'skills.mentions',
    summary: 'Find the skills that a message of the user names, as $name, as a link or by path',
    load: () => import('./session/find-mentions.ts'),
  },
  findTriggers: {
    rpc: 'skills.triggers',
    summary: 'Suggest skills for a message: by their triggers, and by what they are for',
    load: () => import('./session/find-triggers.ts'),
  },
  showQuiz: {
    rpc: 'skills.quiz',
    summary: 'Get the quizzes of a skill and how they stand',
    load: () => import('./session/show-quiz.ts'),
  },
  answerQuiz: {
    rpc: 'skills.answerQuiz',
    summary: 'Answer questions of a quiz, all of them or none',
    load: () => import('./session/answer-quiz.ts'),
  },
  setEnabled: {
    rpc: 'skills.setEnabled',
    summary: 'Switch skills on or off, for every program and until it is changed again',
    load: () => import('./session/set-enabled.ts'),
  },
  listScripts: {
    rpc: 'scripts.list',
    summary: 'List the scripts of a skill',
    load: () => import('./session/list-scripts.ts'),
  },
  runSkillScript: {
    rpc: 'scripts.run',
    isLong: true,
    summary: 'Run a script of a skill in a sandbox',
    load: () => import('./session/run-skill-script.ts'),
  },
  activateTools: {
    rpc: 'tools.activate',
    isLong: true,
    summary: 'Start the tools that a skill brings along',
    load: () => import('./session/activate-tools.ts'),
  },
  listTools: {
    rpc: 'tools.list',
    summary: 'List the tools of the skills that are active',
    load: () => import('./session/list-tools.ts'),
  },
  callTool: {
    rpc: 'tools.call',
    isLong: true,
    summary: 'Call a tool of a skill that is active',
    load: () => import('./session/call-tool.ts'),
  },
  deactivateTools: {
    rpc: 'tools.deactivate',
    summary: 'End the tools of a skill',
    load: () => import('./session/deactivate-tools.ts'),
  },
  dispatchHooks: {
    rpc: 'hooks.dispatch',
    isLong: true,
    summary: 'Raise an event for the hooks of loaded and active skills, and hear what they decide',
    load: () => import('./session/dispatch-hooks.ts'),
  },
  showPrompt: {
    rpc: 'context.prompt',
    summary: 'Get the list of skills for the system prompt',
    load: () => import('./session/show-prompt.ts'),
  },
  inspectContext: {
    rpc: 'context.inspect',
    summary: 'Show the state: what was loaded, how full the prompt is, and the catalogs',
    load: () => import('./session/inspect-context.ts'),
  },
  contextCompacted: {
    rpc: 'context.compacted',
    summary: 'Say that the conversation was shortened, so that texts are sent again when they are asked for',
    load: () => import('./session/context-compacted.ts'),
  },
  saveSession: {
    rpc: 'session.save',
    summary: 'Get what is needed to take the session up later',
    load: () => import('./session/save-session.ts'),
  },
  resumeSession: {
    rpc: 'session.resume',
    isLong: true,
    summary: 'Take a saved session up, and hear what has changed since',
    load: () => import('./session/resume-session.ts'),
  },
  checkPermission: {
    rpc: 'permissions.check',
    summary: 'Ask what the rules say about a tool, and about a skill',
    load: () => import('./session/check-permission.ts'),
  },
  rememberPermission: {
    rpc: 'permissions.remember',
    summary: 'Allow a skill that the user has confirmed',
    load: () => import('./session/remember-permission.ts'),
  },
  cancelRequest: {
    rpc: 'requests.cancel',
    summary: 'Give up a request that is being worked on, and end what it has started',
    load: () => import('./session/cancel-request.ts'),
  },
} as const satisfies Record<string, Row>;

type Table = typeof operationTable;

/** What each row has to lead to: a declaration of its name, which says what it touches. */
type Declarations = {
  readonly [Name in keyof Table]: {
    load(): Promise<Record<Name, Table[Name] extends { rpc: string } ? AnyOperation : AnyCommand>>;
  };
};
type Declared<Name extends keyof Table> =
  Awaited<ReturnType<Table[Name]['load']>> extends Record<Name, infer Declaration> ? Declaration : never;

/** An operation as a front end lists it; its declaration is loaded when it is needed. */
export interface Entry<Declaration> {
  readonly summary: string;
  readonly isLong?: boolean;
  load(): Promise<Declaration>;
}

/** A row of the commands. */
export type CommandEntry = Entry<AnyCommand>;

/** The name of a command. */
export type CommandName = {
  [Name in keyof Table]: Table[Name] extends { rpc: string } ? never : Name;
}[keyof Table];

// In one loop, because every start goes through it.
const commands: Record<string, object> = {};
const methods: Record<string, object> = {};
for (const [name, { summary, rpc, isLong = false, load }] of Object.entries<Row>(
  operationTable satisfies Declarations,
)) {
  const entry = { summary, isLong, load: async () => (await load())[name as never] };
  if (rpc === undefined) commands[name] = entry;
  else methods[rpc] = entry;
}

/** Every command by its name. */
export const commandTable = commands as unknown as { readonly [Name in CommandName]: Entry<Declared<Name>> };

/** The names of all commands, in the order of the table. */
export const commandNames = Object.keys(commandTable) as CommandName[];

/** The name of a method of the protocol. */
export type RpcMethodName = Extract<Table[keyof Table], { rpc: string }>['rpc'];

/** Every method of the protocol by its name. */
export const rpcMethods = methods as unknown as Readonly<Record<RpcMethodName, Entry<AnyOperation>>>;
