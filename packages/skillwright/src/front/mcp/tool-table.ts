// Commands that agents get as tools, and how each tool differs from its command.

import type { CommandName, Effect } from '../commands/index.ts';

/** A tool's differences from its command. */
export interface ToolRow {
  /** Follows the command's summary: facts an agent needs before it calls. */
  readonly advice?: string;
  /** Fields with the same value in every call, hidden from the caller. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Effect of the command when the fields reserved for the user are left out. */
  readonly effect?: Effect;
  /** It runs third-party code: it may reach beyond this machine, and may not repeat the same result. */
  readonly openWorld?: boolean;
  /** It may take long: other calls do not wait for it, and its time limit is higher. */
  readonly isLong?: boolean;
  /**
   * Fields of the result that the text contains in full, such as `sections.content` for the content of every section. They
   * are left out of `structuredContent`, so that a model does not pay for them twice.
   */
  readonly inText?: readonly string[];
  /** Fields the user fills in on a form, if the client can ask them. */
  readonly persons?: readonly string[];
  /** Its text is written by skc: commands in it are replaced by tools. */
  readonly isOurs?: boolean;
  /** How to get the rest of a result that was cut; completes "For the rest, …". */
  readonly rest: string;
}

/** Tools by the name of their command, in the order clients show them. */
export const toolTable: Readonly<Partial<Record<CommandName, ToolRow>>> = {
  list: {
    isOurs: true,
    fixed: { paths: false, agents: [], node_modules: false },
    rest: 'pass pattern or scope',
  },
  find: { isOurs: true, fixed: { agents: [], node_modules: false }, rest: 'pass a lower limit' },
  outline: {
    fixed: { all: false },
    inText: ['headings', 'left_out.by_file'],
    rest: 'pass a lower level, then read sections with skc_show',
  },
  search: {
    advice: 'Read hits with skc_show',
    // A server always answers from the files on disk.
    fixed: { fresh: true, all: false },
    inText: [
      'results.snippet',
      'results.heading',
      'results.score',
      'results.command',
      'results.anchor',
      'results.missing',
      'results.read_before',
      'instead',
      'try',
    ],
    rest: 'pass a lower limit',
  },
  show: {
    advice: 'Get headings from skc_outline or skc_search',
    fixed: { fresh: true },
    inText: ['sections.content'],
    rest: 'read a section further down, or pass lines to skc_open',
  },
  open: {
    advice: 'Prefer skc_show',
    inText: ['content'],
    rest: 'pass lines, such as 1001-2000, or offset',
  },
  sources: { fixed: { all: false }, inText: ['entries'], rest: 'pass dir or depth' },
  load: {
    advice: 'Prefer skc_show',
    // An alias of the same field, still accepted.
    fixed: { name: undefined },
    inText: ['text'],
    rest: 'pass offset, or read its sections with skc_show',
  },
  quiz: {
    advice:
      'Use it after E062. Without answers it asks the user if the client can, else returns the questions',
    persons: ['answer'],
    fixed: { status: false },
    rest: 'pass fewer answers',
  },
  scripts: { isLong: true, effect: 'read', rest: 'name one script' },
  run: {
    isLong: true,
    advice: 'Get scripts and arguments from skc_scripts',
    openWorld: true,
    inText: ['stdout', 'stderr'],
    rest: 'make the script print less',
  },
  tools: {
    isLong: true,
    openWorld: true,
    rest: 'make the tool return less',
  },
  lint: { isLong: true, effect: 'read', rest: 'pass fewer paths' },
  build: { isLong: true, isOurs: true, rest: 'pass fewer skills' },
  init: { isOurs: true, rest: 'read the new files with skc_open' },
  stats: {
    isLong: true,
    effect: 'read',
    rest: 'pass since or until',
  },
};
