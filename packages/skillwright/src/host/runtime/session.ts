// The session a host works with: the skills visible from one directory.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type {
  HookHandlers,
  HookPayload,
  HookReport,
  Sandbox,
  Script,
  ScriptEnvelope,
} from '../../guard/execute/index.ts';
import type { NamePolicy, SkillReference } from '../../read/access/index.ts';
import type {
  CatalogBudget,
  CatalogError,
  CatalogFormat,
  CatalogRenderer,
  Discovery,
  FittedCatalog,
  SkillCatalog,
  SkillRecord,
  SkillScope,
  SkillSearchAnswer,
} from '../../read/catalog/index.ts';
import type { ConfigOverlay } from '../../skill/config/index.ts';
import type { Actor, GuardedTool, Operation } from '../../skill/judge/index.ts';
import type { QuizAnswer, QuizChoice, QuizMemory, QuizView } from '../../skill/quiz/index.ts';
import type { PermissionDecision, PermissionRules, Workspace } from '../../skill/workspace/index.ts';
import type {
  CompactedSkills,
  FoundSections,
  InvocationPlan,
  LoadResult,
  Mention,
  ResourceList,
  ResumeReport,
  SavedSession,
  SessionReport,
  SkillOutline,
  SkillResource,
  SkillSection,
  TriggerMatch,
} from '../answers/index.ts';
import type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
import type { SessionLog } from './log-session.ts';
import type { RunDynamic } from './plan-invocation.ts';
import type { ResourceRequest } from './read-resource.ts';
import type { HooksDecision, HooksQuestion } from './session-hooks.ts';
import type { RunOptions } from './session-scripts.ts';
import type { FindRequest, OutlineRequest, SectionRequest } from './session-sections.ts';
import type { SessionState, SessionView } from './session-state.ts';
import type { Activation, SkillTool } from './session-toolsets.ts';
import type { ContextCalls } from './skill-context.ts';
import type { SkillContextProvider } from './skill-context-provider.ts';

/** Options of a session. Only `cwd` and `home` are required. */
export interface SessionOptions {
  /** Absolute path. */
  readonly cwd: string;
  /** Absolute path. */
  readonly home: string;
  /** An open workspace to reuse; it determines configuration, rules and trust. */
  readonly workspace?: (() => Promise<Workspace>) | undefined;
  /** Default: the environment of the process. With `{}` there is no PATH, so no program can run. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the user trusts the project: its skills and configuration are read only then. Default: no. */
  readonly trust?: boolean | undefined;
  /**
   * Configuration on top of the user's and the project's, key by key. It ranks as the user's. Rules add up: none of
   * the user's or the project's is dropped.
   */
  readonly config?: ConfigOverlay | undefined;
  /** The host's own rules: the built-in layer. */
  readonly permissions?: PermissionRules | undefined;
  readonly policy?: NamePolicy | undefined;
  /** Format of the skill list in a prompt. Default: `available-skills`. */
  readonly renderer?: CatalogFormat | CatalogRenderer | undefined;
  /** Default: as configured, otherwise 200 entries and 32 KiB. */
  readonly budgets?: CatalogBudget | undefined;
  readonly estimateTokens?: ((text: string) => number) | undefined;
  /** How the model finds skills that do not fit into the list. */
  readonly searchHint?: string | undefined;
  /**
   * Asks the user when a rule requires confirmation, once for all calls that wait for the same answer. Without it the
   * answer is no: E061.
   */
  readonly confirm?: ((question: ConfirmationQuestion) => Promise<ConfirmationAnswer>) | undefined;
  /** Runs commands in skill bodies; see `planInvocation`. */
  readonly runDynamic?: RunDynamic | undefined;
  /** Runs scripts. Default: the machine's sandbox, opened with the first script. */
  readonly sandbox?: Sandbox | undefined;
  /** Skills whose tools and hooks the host trusts. Others need the user's trust in their current version. */
  readonly trustsSkill?: ((skill: SkillRecord) => boolean) | undefined;
  /**
   * Asked once when a skill is loaded whose hooks the user has not trusted. Without it they block what they watch, as
   * W060 in the result of the load says; `decideHooks` of the session decides later.
   */
  readonly decideHooks?: ((question: HooksQuestion) => Promise<HooksDecision>) | undefined;
  /** Hooks the host runs itself: prompts to a model, HTTP requests, tools of MCP servers. */
  readonly hookHandlers?: HookHandlers | undefined;
  /** Directories besides the skill that hook commands may read, such as the project. */
  readonly hookReadable?: readonly string[] | undefined;
  /** Default: a random id. A resumed session takes over the saved id. */
  readonly sessionId?: string | undefined;
  /** Writes loads, plans, reads and answers to the access log, unless the user turned it off. Default: no. */
  readonly log?: boolean | SessionLog | undefined;
  /** Stores which quizzes were passed. Default: the session itself. */
  readonly quizMemory?: QuizMemory | undefined;
  /**
   * Most tokens of a text that `load` gives a model whole. A longer one comes as a stub: its beginning, its headings, and
   * the calls that read the rest. Default: 5,000.
   */
  readonly loadBudget?: number | undefined;
  /** Most bytes of a body or a resource returned at once. */
  readonly maxBodyBytes?: number | undefined;
  readonly maxResourceBytes?: number | undefined;
  /** Discovery limits (`maxDepth`, `maxDirectories`), further roots, the cache. Default: as configured. */
  readonly discovery?: Discovery | undefined;
  /** A source of skills other than the disk below `cwd` and `home`. */
  readonly loadCatalog?: (() => SkillCatalog | Promise<SkillCatalog>) | undefined;
}

/** The skills of a session: those the model may see, and hidden ones with the reason. */
export interface SessionCatalog {
  readonly skills: readonly SkillRecord[];
  readonly hidden: SessionView['hidden'];
  readonly errors: readonly CatalogError[];
  readonly truncated: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Format and budget of the skill list in a prompt. */
type PromptOptions = Pick<SessionOptions, 'renderer' | 'budgets'>;

/** A search. */
interface SessionQuery {
  readonly query: string;
  /** Default: `search.default_limit`, otherwise 8. Maximum: `search.max_limit`, otherwise 50. */
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | 'repo' | undefined;
}

/** How to load. The host sets these, never the model, unless stated. */
export interface LoadOptions {
  /** Default: the model. */
  readonly by?: Actor | undefined;
  /** Whether the user has just confirmed the load. */
  readonly confirmed?: boolean | undefined;
  /** Return the text even if the model already has it. */
  readonly force?: boolean | undefined;
  /**
   * Byte offset of a part of a long text: 0, or `next_offset` of the previous part. Given, a skill over the budget comes
   * as text in parts, not as a stub. The model may set it.
   */
  readonly offset?: number | undefined;
  /** How the reader requests the rest. Default: with the tools of a session. */
  readonly calls?: ContextCalls | undefined;
  /** Authors read their own skills without a quiz. */
  readonly author?: boolean | undefined;
  /** Purpose of the access. Default: a model reads, the user invokes. */
  readonly operation?: Operation | undefined;
}

/** A question about permissions: for a skill by name or path, or for a tool in general. */
interface PermissionQuestion extends SkillReference {
  readonly tool: string;
}

/** How to store a confirmation. */
interface RememberOptions {
  /** Default: yes. */
  readonly persist?: boolean;
  /** Default: `skill_load`. */
  readonly tool?: GuardedTool;
}

/** A session. Every method respects permissions and disabled skills. */
export interface Session {
  readonly id: string;
  catalog(options?: { readonly reload?: boolean | undefined }): Promise<SessionCatalog>;
  /** The skill list for the system prompt, in the session's format and budget unless you pass others. */
  prompt(options?: PromptOptions): Promise<FittedCatalog>;
  /** E004 for an empty query. */
  search(query: SessionQuery): Promise<SkillSearchAnswer>;
  /** E001, E005, E060, E061; E012, E014, E015 when the file cannot be used. */
  load(reference: SkillReference, options?: LoadOptions): Promise<LoadResult>;
  /** A file as text for the model, which cannot imitate our own tags. E062 when a quiz locks the file. */
  readResource(request: ResourceRequest, options?: LoadOptions): Promise<SkillResource>;
  listResources(
    reference: SkillReference,
    options?: LoadOptions & {
      readonly directory?: string | undefined;
      readonly limit?: number | undefined;
    },
  ): Promise<ResourceList>;
  /** The headings of a skill, within a budget. E021 for an unknown `file`. */
  outline(request: OutlineRequest, options?: LoadOptions): Promise<SkillOutline>;
  /** One section as text for the model. E020 with similar headings, E021; E062 when a quiz locks it. */
  section(request: SectionRequest, options?: LoadOptions): Promise<SkillSection>;
  /** Searches inside a skill. E004 for an empty query, E062 when a quiz locks everything that could match. */
  findIn(request: FindRequest, options?: LoadOptions): Promise<FoundSections>;
  /** The scripts of a skill. */
  listScripts(reference: SkillReference, options?: LoadOptions): Promise<readonly Script[]>;
  /**
   * Runs a script in the sandbox and returns its output, also on failure. Rules for `skill_run` apply on top of those
   * for loading. E060, E061, E062; E012, E070, E073, E074, E075.
   */
  runScript(reference: SkillReference, script: string, options?: RunOptions): Promise<ScriptEnvelope>;
  /**
   * Starts the toolsets of a skill, or restarts them. Rules for `skill_run` apply on top of those for loading. A
   * toolset that is not trusted or fails becomes a diagnostic. E060, E061, E062, E074.
   */
  activate(reference: SkillReference, options?: LoadOptions): Promise<Activation>;
  /** Stops the toolsets of a skill and removes its tools. False when it was not active. */
  deactivate(reference: SkillReference): Promise<boolean>;
  /** The tools of all active skills that may be used now. */
  tools(): readonly SkillTool[];
  /**
   * Runs the hooks of loaded and active skills for an event. If the event needs a decision, a hook that cannot run
   * counts as no, with the reason.
   */
  hooks(
    event: string,
    payload: HookPayload,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<HookReport>;
  /**
   * Decides about the hooks of a skill that the user has not trusted, in this session and for its current files: `run`
   * them, go on without them (`skip`), or let them block what they watch (`block`, the default). E060, E061, E062.
   */
  decideHooks(reference: SkillReference, decision: HooksDecision): Promise<void>;
  /** Stops toolsets and background hooks. */
  close(): Promise<void>;
  /** Skills a user names in a message. */
  mentions(text: string): Promise<Mention[]>;
  /** Skills to suggest for a message, best first: by their triggers, or by words in name and description. */
  triggers(text: string): Promise<TriggerMatch[]>;
  /** Everything needed to run a skill with arguments. Default: on behalf of the user. */
  plan(
    reference: SkillReference,
    args?: string | readonly string[],
    options?: LoadOptions,
  ): Promise<InvocationPlan>;
  /** The quizzes of a skill and their state, without the correct options. E014 when they cannot be read. */
  quiz(reference: SkillReference, options?: LoadOptions): Promise<QuizView>;
  /** Answers questions; answers are final. If one is invalid, none counts: E100. */
  answerQuiz(
    reference: SkillReference,
    choices: readonly QuizChoice[],
    options?: LoadOptions,
  ): Promise<{ answers: QuizAnswer[]; quiz: QuizView }>;
  readonly quizMemory: QuizMemory;
  /**
   * Call this when the model has lost the texts it was given: loading sends them again. `kept` lists the skills, by
   * name or path, whose text is still in the conversation.
   */
  compacted(options?: { readonly kept?: readonly string[] | undefined }): CompactedSkills;
  /** Everything that `resume` needs, as plain JSON. */
  save(): Promise<SavedSession>;
  /**
   * Continues a saved session under its id: loaded skills, quizzes, active toolsets. A saved session grants no permission:
   * toolsets are judged and trusted again, and the user is asked to confirm again, unless the host guarantees that nobody
   * else could write the value. E063, E064.
   */
  resume(saved: unknown, options?: { readonly vouched?: boolean }): Promise<ResumeReport>;
  inspect(options?: { readonly include_skills?: boolean }): Promise<SessionReport>;
  /** Skills in tiers, under the current rules of this session. With `stubs`, tier 2 of a skill over the budget is its stub. */
  provider(options?: { readonly stubs?: boolean }): Promise<SkillContextProvider>;
  readonly permissions: {
    check(question: PermissionQuestion): Promise<PermissionDecision>;
    /**
     * Allows loading a skill with its current files, permanently, or for this session with `persist: false`. Returns false
     * when it holds for this session only. E060 when a rule denies it.
     */
    remember(reference: SkillReference, options?: RememberOptions): Promise<boolean>;
  };
}

/** Names of the methods. */
type MethodName = Exclude<keyof Session, 'id' | 'quizMemory' | 'permissions'>;

/** The methods of a session as functions of its state. */
export type SessionMethods = {
  readonly [Name in MethodName]: (
    state: SessionState,
    ...given: Parameters<Session[Name]>
  ) => ReturnType<Session[Name]>;
};
