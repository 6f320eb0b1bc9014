// The declared reach of an operation of a front end or a session: the skills it touches, and the places it may write.

import type { Operation } from './standing.ts';

/**
 * A place an operation may write, besides its row in the access log. `runtime directories` belong to the skills it
 * works on, `agent directories` are those the user's configuration names, `granted directories` those the user lets a
 * skill write, and `named directory` the one in the input.
 */
export type Written =
  | 'runtime directories'
  | 'agent directories'
  | 'stores'
  | 'configuration'
  | 'credentials'
  | 'state'
  | 'access logs'
  | 'cache'
  | 'granted directories'
  | 'named directory';

/**
 * The skills an operation touches, and how. Required, because the judge is asked before a command runs; one that names no
 * skill says so.
 */
export type Touches<Field extends string> =
  | 'nothing'
  /** One skill, named by a field; if the field is optional and empty, all skills. */
  | { readonly skill: Field; readonly operation: Operation }
  /** Several skills, which the operation opens one by one. */
  | { readonly skills: Operation };
