// The table that all front ends share: a name, a line about it, and where the declaration is.
// Declarations are loaded one at a time, so that a command pays only for what it uses.

import type { AnyCommand } from './define-command.ts';

/** One row of the table. */
export interface CommandEntry {
  readonly summary: string;
  load(): Promise<AnyCommand>;
}

/** Every command, in the order help shows them. */
export const commandTable = {
  init: {
    summary: 'Make a new skill, or a project that holds skills',
    load: async () => (await import('./init.ts')).init,
  },
  lint: {
    summary: 'Find what is wrong with skills',
    load: async () => (await import('./lint.ts')).lint,
  },
  validate: {
    summary: 'Print the normalised manifest of a skill, or what is wrong with it',
    load: async () => (await import('./validate.ts')).validate,
  },
  build: {
    summary: 'Compile skills to stubs and give them to agents',
    load: async () => (await import('./build.ts')).build,
  },
  list: {
    summary: 'List skills and how they stand',
    load: async () => (await import('./list.ts')).list,
  },
  clean: {
    summary: 'Remove what a build made',
    load: async () => (await import('./clean.ts')).clean,
  },
  publish: {
    summary: 'Publish skills to a registry, or as files for a web host',
    load: async () => (await import('./publish.ts')).publish,
  },
  outline: {
    summary: 'List the headings of a skill',
    load: async () => (await import('./outline.ts')).outline,
  },
  show: {
    summary: 'Print a section of a skill',
    load: async () => (await import('./show.ts')).show,
  },
  search: {
    summary: 'Find sections of a skill',
    load: async () => (await import('./search.ts')).search,
  },
  open: {
    summary: 'Print a file of a skill',
    load: async () => (await import('./open.ts')).open,
  },
  sources: {
    summary: 'List the files of a skill',
    load: async () => (await import('./sources.ts')).sources,
  },
  find: {
    summary: 'Find skills among all that are installed',
    load: async () => (await import('./find.ts')).find,
  },
  trawl: {
    summary: 'Find skills on the network',
    load: async () => (await import('./trawl.ts')).trawl,
  },
  skills: {
    summary: 'Pick skills from a list, and switch them on or off',
    load: async () => (await import('./skills.ts')).skills,
  },
  roots: {
    summary: 'Say where skills were looked for, and what was found',
    load: async () => (await import('./roots.ts')).roots,
  },
  install: {
    summary: 'Install skills from elsewhere, or restore what the lock names',
    load: async () => (await import('./install.ts')).install,
  },
  update: {
    summary: 'Update installed skills, and keep local edits',
    load: async () => (await import('./update.ts')).update,
  },
  uninstall: {
    summary: 'Remove installed skills',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  outdated: {
    summary: 'Show which installed skills have something newer',
    load: async () => (await import('./outdated.ts')).outdated,
  },
  verify: {
    summary: 'Check installed skills against the lock',
    load: async () => (await import('./verify.ts')).verify,
  },
  doctor: {
    summary: 'Find out what is wrong with skills and links, and repair it',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  scan: {
    summary: 'Look for harm in skills before they are used',
    load: async () => (await import('./scan.ts')).scan,
  },
  stats: {
    summary: 'Show what was read of a skill, and what never was',
    load: async () => (await import('./stats.ts')).stats,
  },
  sync: {
    summary: 'Bring home accesses that were logged beside the work',
    load: async () => (await import('./sync.ts')).sync,
  },
  load: {
    summary: 'Give a whole skill as an agent takes it in',
    load: async () => (await import('./load.ts')).load,
  },
  quiz: {
    summary: 'Take the quiz of a skill that is closed until it is passed',
    load: async () => (await import('./quiz.ts')).quiz,
  },
  scripts: {
    summary: 'List the scripts of a skill, or say what one can do',
    load: async () => (await import('./scripts.ts')).scripts,
  },
  run: {
    summary: 'Run a script of a skill in a sandbox',
    load: async () => (await import('./run.ts')).run,
  },
  tools: {
    summary: 'List the tools a skill brings along, or call one',
    load: async () => (await import('./tools.ts')).tools,
  },
  explain: {
    summary: 'Explain a diagnostic code or a lint rule',
    load: async () => (await import('./explain.ts')).explain,
  },
  config: {
    summary: 'Read and write configuration',
    load: async () => (await import('./config.ts')).config,
  },
  completion: {
    summary: 'Print a completion script for a shell',
    load: async () => (await import('./completion.ts')).completion,
  },
  version: {
    summary: 'Say which version this is and what it runs on',
    load: async () => (await import('./version.ts')).version,
  },
} as const satisfies Record<string, CommandEntry>;

/** The name of a command. */
export type CommandName = keyof typeof commandTable;

/** True for the name of a command. */
export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name);
}

/** The names of all commands, in the order of the table. */
export const commandNames = Object.keys(commandTable) as CommandName[];
