// Which commands agents get as tools, and what is particular about each there.

import type { CommandName, Effect } from '../commands/index.ts';

/** What a tool has besides the command it is made from. */
export interface ToolRow {
  /** Follows the command's summary, for what an agent has to know before it calls. */
  readonly advice?: string;
  /** Fields that are the same in every call; a caller does not see them. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** What is left of the command's effect when some fields are fixed. */
  readonly effect?: Effect;
  /** It runs what others wrote: it may reach beyond this machine, and is not the same twice. */
  readonly openWorld?: boolean;
  /** How a caller gets the rest of a result that was cut. */
  readonly rest: string;
}

/** Tools by the name of their command, in the order clients show them. */
export const toolTable: Readonly<Partial<Record<CommandName, ToolRow>>> = {
  list: { rest: 'pass pattern or scope' },
  find: { fixed: { agents: [], node_modules: false }, rest: 'pass a lower limit' },
  outline: { fixed: { author: false }, rest: 'pass a lower level, then read sections with skc_show' },
  search: {
    advice: 'Read what it finds with skc_show',
    // A server answers from what is on disk now.
    fixed: { fresh: true, author: false },
    rest: 'pass a lower limit',
  },
  show: {
    advice: 'Headings come from skc_outline and skc_search',
    fixed: { fresh: true, author: false },
    rest: 'read a section further down, or pass lines to skc_open',
  },
  open: {
    advice: 'Prefer skc_show: it costs less',
    fixed: { author: false },
    rest: 'pass lines, such as 1001-2000',
  },
  sources: { rest: 'pass dir or depth' },
  load: { advice: 'Prefer skc_show', fixed: { author: false }, rest: 'read its sections with skc_show' },
  quiz: {
    advice: 'Skills that answer E062 are closed until then; without answers it gives the questions',
    // In a connection there is nobody to ask, so that is what it always does.
    fixed: { reset: false, status: false },
    rest: 'pass fewer answers',
  },
  scripts: { fixed: { author: false, revoke: false }, effect: 'read', rest: 'name one script' },
  run: {
    advice: 'Scripts and their arguments come from skc_scripts',
    // What goes beyond the sandbox is the user's to decide.
    fixed: { unsandboxed: false, grant: [], read: [], write: [], cwd: undefined, author: false },
    openWorld: true,
    rest: 'let the script print less',
  },
  tools: {
    // Trust is the user's to give.
    fixed: { trust: false, distrust: false, timeout: undefined, unsandboxed: false, author: false },
    openWorld: true,
    rest: 'let the tool give less',
  },
  lint: { fixed: { author: false }, rest: 'pass fewer paths' },
  // It would never answer.
  build: { fixed: { watch: false, stub: false, whole: false, dry_run: false }, rest: 'pass fewer skills' },
  init: { rest: 'read the new files with skc_open' },
  // Forgetting what agents did is the author's to decide.
  stats: {
    fixed: { prune: false, before: undefined, author: false },
    effect: 'read',
    rest: 'pass since or until',
  },
};
