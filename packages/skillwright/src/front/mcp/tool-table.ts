// Which commands agents get as tools, and what is particular about each there.

import type { CommandName, Effect } from '../commands/index.ts';

/** What a tool has besides the command it is made from. */
export interface ToolRow {
  /** Follows the command's summary, for what an agent has to know before it calls. */
  readonly advice?: string;
  /** Fields that are the same in every call; a caller does not see them. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** What is left of the command's effect without what is the user's own. */
  readonly effect?: Effect;
  /** It runs what others wrote: it may reach beyond this machine, and is not the same twice. */
  readonly openWorld?: boolean;
  /** It may take long: other calls do not wait for it, and it is given more time. */
  readonly isLong?: boolean;
  /**
   * Fields of the result that the text says in full, as `sections.content` for that of every section: they are left out of
   * `structuredContent`, so that a model does not pay for them twice.
   */
  readonly inText?: readonly string[];
  /** Fields that the person fills in, on a form, where the client can ask them. */
  readonly persons?: readonly string[];
  /** Its text is our own words: commands in it are named as tools. */
  readonly isOurs?: boolean;
  /** How a caller gets the rest of a result that was cut. */
  readonly rest: string;
}

/** Tools by the name of their command, in the order clients show them. */
export const toolTable: Readonly<Partial<Record<CommandName, ToolRow>>> = {
  list: { isOurs: true, rest: 'pass pattern or scope' },
  find: { isOurs: true, fixed: { agents: [], node_modules: false }, rest: 'pass a lower limit' },
  outline: {
    fixed: { all: false },
    inText: ['headings', 'left_out.by_file'],
    rest: 'pass a lower level, then read sections with skc_show',
  },
  search: {
    advice: 'Read what it finds with skc_show',
    // A server answers from what is on disk now.
    fixed: { fresh: true, all: false },
    inText: [
      'results.snippet',
      'results.heading',
      'results.score',
      'results.command',
      'results.anchor',
      'try',
    ],
    rest: 'pass a lower limit',
  },
  show: {
    advice: 'Headings come from skc_outline and skc_search',
    fixed: { fresh: true },
    inText: ['sections.content'],
    rest: 'read a section further down, or pass lines to skc_open',
  },
  open: {
    advice: 'Prefer skc_show: it costs less',
    inText: ['content'],
    rest: 'pass lines, such as 1001-2000, or offset',
  },
  sources: { fixed: { all: false }, inText: ['entries'], rest: 'pass dir or depth' },
  load: {
    advice: 'Prefer skc_show',
    // Another name of the same field, which is understood all the same.
    fixed: { name: undefined },
    inText: ['text'],
    rest: 'pass offset, or read its sections with skc_show',
  },
  quiz: {
    advice:
      'Skills that answer E062 are closed until then; without answers it asks the user where the client can, else gives the questions',
    persons: ['answer'],
    fixed: { status: false },
    rest: 'pass fewer answers',
  },
  scripts: { isLong: true, effect: 'read', rest: 'name one script' },
  run: {
    isLong: true,
    advice: 'Scripts and their arguments come from skc_scripts',
    openWorld: true,
    inText: ['stdout', 'stderr'],
    rest: 'let the script print less',
  },
  tools: {
    isLong: true,
    openWorld: true,
    rest: 'let the tool give less',
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
