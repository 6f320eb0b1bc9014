// Every method of a session. `skc rpc`, the access log, recordings and the tools of adapters are derived from this table.

import { load } from './load-skill.ts';
import { plan } from './plan-invocation.ts';
import { listResources, readResource } from './read-resource.ts';
import { compacted, resume, save } from './saved-session.ts';
import { catalog, inspect, mentions, prompt, search, triggers } from './session-catalog.ts';
import { decideHooks } from './session-hooks.ts';
import { check, remember } from './session-permissions.ts';
import { provider } from './session-provider.ts';
import { answerQuiz, quiz } from './session-quiz.ts';
import { listScripts, runScript } from './session-scripts.ts';
import { findIn, outline, section } from './session-sections.ts';
import { activate, close, deactivate, hooks, tools } from './session-toolsets.ts';

/** The methods in the order a client meets them. Every one respects permissions and disabled skills. */
export const sessionMethods = {
  /** Skills the model may see, and hidden ones with the reason. */
  catalog,
  /** E004 for an empty query. */
  search,
  /** E001, E005, E060, E061; E012, E014, E015 when the file cannot be used. */
  load,
  /** A file as text for the model, which cannot imitate our own tags. E062 when a quiz locks the file. */
  readResource,
  listResources,
  /** The headings of a skill, within a budget. E021 for an unknown `file`. */
  outline,
  /** One section as text for the model. E020 with similar headings, E021; E062 when a quiz locks it. */
  section,
  /** Searches inside a skill. E004 for an empty query, E062 when a quiz locks everything that could match. */
  findIn,
  /** Everything needed to run a skill with arguments. Default: on behalf of the user. */
  plan,
  /** Skills a user names in a message. */
  mentions,
  /** Skills to suggest for a message, best first: by their triggers, or by words in name and description. */
  triggers,
  /** The quizzes of a skill and their state, without the correct options. E014 when they cannot be read. */
  quiz,
  /** Answers questions; answers are final. If one is invalid, none counts: E100. */
  answerQuiz,
  listScripts,
  /**
   * Runs a script in the sandbox and returns its output, also on failure. Rules for `skill_run` apply on top of those
   * for loading. E060, E061, E062; E012, E070, E073, E074, E075.
   */
  runScript,
  /**
   * Starts the toolsets of a skill, or restarts them. Rules for `skill_run` apply on top of those for loading. A
   * toolset that is not trusted or fails becomes a diagnostic. E060, E061, E062, E074.
   */
  activate,
  /** The tools of all active skills that may be used now. */
  tools,
  /** Stops the toolsets of a skill and removes its tools. False when it was not active. */
  deactivate,
  /**
   * Runs the hooks of loaded and active skills for an event. If the event needs a decision, a hook that cannot run
   * counts as no, with the reason.
   */
  hooks,
  /**
   * Decides about the hooks of a skill that the user has not trusted, in this session and for its current files: `run`
   * them, go on without them (`skip`), or let them block what they watch (`block`, the default). E060, E061, E062.
   */
  decideHooks,
  /** The skill list for the system prompt, in the session's format and budget unless you pass others. */
  prompt,
  /** The state in wire names; with `include_skills` also visible and hidden skills. */
  inspect,
  /**
   * Call this when the model has lost the texts it was given: loading sends them again. `kept` lists the skills, by
   * name or path, whose text is still in the conversation.
   */
  compacted,
  /** Everything that `resume` needs, as plain JSON. */
  save,
  /**
   * Continues a saved session under its id: loaded skills, quizzes, active toolsets. A saved session grants no permission:
   * toolsets are judged and trusted again, and the user is asked to confirm again, unless the host guarantees that nobody
   * else could write the value. E063, E064.
   */
  resume,
  /** Skills in tiers, under the current rules of this session. With `stubs`, tier 2 of a skill over the budget is its stub. */
  provider,
  /** Stops toolsets and background hooks. */
  close,
};

/** The methods of `permissions`. */
export const permissionMethods = {
  check,
  /**
   * Allows loading a skill with its current files, permanently, or for this session with `persist: false`. Returns false
   * when it holds for this session only. E060 when a rule denies it.
   */
  remember,
};
