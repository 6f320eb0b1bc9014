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
  skills: {
    summary: 'Pick skills from a list, and switch them on or off',
    load: async () => (await import('./skills.ts')).skills,
  },
  roots: {
    summary: 'Say where skills were looked for, and what was found',
    load: async () => (await import('./roots.ts')).roots,
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
