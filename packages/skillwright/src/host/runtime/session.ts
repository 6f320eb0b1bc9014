// What a host gets: one session over the skills that are visible from a directory.

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
import type { Actor, Operation } from '../../skill/judge/index.ts';
import type { QuizAnswer, QuizChoice, QuizMemory, QuizView } from '../../skill/quiz/index.ts';
import type { PermissionDecision, PermissionRules, Workspace } from '../../skill/workspace/index.ts';
import type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
import type { Mention } from './find-mentions.ts';
import type { SessionLog } from './log-session.ts';
import type { TriggerMatch } from './match-triggers.ts';
import type { InvocationPlan, RunDynamic } from './plan-invocation.ts';
import type { ResourceRequest, SkillResource } from './read-resource.ts';
import type { LoadedSkill, ResumeReport, SavedSession } from './saved-session.ts';
import type { RunOptions } from './session-scripts.ts';
import type { Activation, SkillTool } from './session-toolsets.ts';
import type { HiddenSkill } from './session-view.ts';
import type { ContextCalls } from './skill-context.ts';
import type { SkillContextProvider } from './skill-context-provider.ts';
import type { RememberOptions } from './skill-guard.ts';
import type { WireSkill } from './wire-skill.ts';

/** What a session is made from. Only `cwd` and `home` must be given. */
export interface SessionOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly home: string;
  /** The workspace, for a host that keeps one; it settles configuration, rules and trust. */
  readonly workspace?: () => Promise<Workspace>;
  /** Default: the environment of the process. With `{}` there is no PATH, so nothing can be run. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the user trusts the project: only then are its skills and its configuration read. Default: no. */
  readonly trust?: boolean;
  /**
   * Configuration on top of that of the user and the project, key by key. It counts as the user's. Rules add up: none of
   * the user's or the project's is dropped.
   */
  readonly config?: ConfigOverlay;
  /** Rules of the host itself: the built-in layer. */
  readonly permissions?: PermissionRules;
  readonly policy?: NamePolicy;
  /** The form of the list in a prompt. Default: `available-skills`. */
  readonly renderer?: CatalogFormat | CatalogRenderer;
  /** Default: what is configured, else 200 entries and 32 KiB. */
  readonly budgets?: CatalogBudget;
  readonly estimateTokens?: (text: string) => number;
  /** How the model finds skills that the list has no room for. */
  readonly searchHint?: string;
  /**
   * Asks the user when a rule wants a confirmation, once for everything that waits for the same answer. Without it the
   * answer is no: E061.
   */
  readonly confirm?: (question: ConfirmationQuestion) => Promise<ConfirmationAnswer>;
  /** Runs commands in bodies; see `planInvocation`. */
  readonly runDynamic?: RunDynamic;
  /** Where scripts are run; by default the sandbox of the machine, opened with the first script. */
  readonly sandbox?: Sandbox;
  /** Skills whose tools and hooks the host answers for. The others are those the user has said to trust, as they are. */
  readonly trustsSkill?: (skill: SkillRecord) => boolean;
  /** Hooks that the host carries out itself: questions to a model, requests, tools of MCP servers. */
  readonly hookHandlers?: HookHandlers;
  /** Directories besides the skill that commands of hooks may read, such as the project. */
  readonly hookReadable?: readonly string[];
  /** Default: a random one. A session that is resumed takes the saved one. */
  readonly sessionId?: string;
  /** Writes loads, plans, reads and answers to the access log, as far as the user wants one. Default: no. */
  readonly log?: boolean | SessionLog;
  /** Where it is remembered which quizzes were passed. Default: the session itself. */
  readonly quizMemory?: QuizMemory;
  /** Bytes of a body and of a resource that are given at most. */
  readonly maxBodyBytes?: number;
  readonly maxResourceBytes?: number;
  /** Bounds of discovery (`maxDepth`, `maxDirectories`), further roots, the cache. Default: what is configured. */
  readonly discovery?: Discovery;
  /** Another source of skills than the disk below `cwd` and `home`. */
  readonly loadCatalog?: () => SkillCatalog | Promise<SkillCatalog>;
}

/** The skills of a session: those the model may see, and the others with the reason. */
export interface SessionCatalog {
  readonly skills: readonly SkillRecord[];
  readonly hidden: readonly HiddenSkill[];
  readonly errors: readonly CatalogError[];
  readonly truncated: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The form of a list for a prompt, and what it may cost. */
export type PromptOptions = Pick<SessionOptions, 'renderer' | 'budgets'>;

/** What to look for. */
export interface SessionQuery {
  readonly query: string;
  /** Default and most as configured: `search.default_limit`, else 8, and `search.max_limit`, else 50. */
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | 'repo' | undefined;
}

/** How to load. These come from the host, never from the model. */
export interface LoadOptions {
  /** Default: the model. */
  readonly by?: Actor;
  /** The user has just confirmed it. */
  readonly confirmed?: boolean;
  /** Give the text even though the model has it. */
  readonly force?: boolean;
  /** Where the part of a long text begins, in bytes: the `next_offset` of the part before. The model may choose it. */
  readonly offset?: number | undefined;
  /** How whoever reads the text asks for the rest; by default with the tools of a session. */
  readonly calls?: ContextCalls | undefined;
  /** The author reads what they wrote: no quiz stands before it. */
  readonly author?: boolean;
  /** What it is for; without it a model reads, and the user invokes. */
  readonly operation?: Operation | undefined;
}

/** A loaded skill. */
export interface LoadResult {
  /** `quiz`: the skill is closed, and its quiz is given instead. */
  readonly status: 'loaded' | 'already-loaded' | 'quiz';
  /** For the model. */
  readonly text: string;
  /** True when the body goes on, or files are shown as directories or not at all. */
  readonly truncated: boolean;
  /** Load from here for the next part of the body; null at its end. */
  readonly next_offset: number | null;
  readonly metadata: {
    readonly skill_id: string;
    readonly name: string;
    readonly path: string;
    readonly dir: string;
    readonly mtime_ms: number;
  };
  /** With status `quiz`: what `answerQuiz` answers. */
  readonly quiz?: QuizView;
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of a skill. */
export interface ResourceList {
  /** Relative to the skill. */
  readonly files: readonly string[];
  readonly total: number;
  readonly truncated: boolean;
}

/** What remains after the host has compacted the conversation. */
export interface CompactedSkills {
  /** Those whose text is gone: it is sent again when they are loaded. */
  readonly skills: readonly LoadedSkill[];
  /** Those whose text the host has kept. */
  readonly kept: readonly LoadedSkill[];
  /** What the host says it has kept and no one loaded skill is called. */
  readonly unknown: readonly string[];
  /** For the compacted conversation: which skills were in use, and that they must be loaded again. */
  readonly text: string;
}

/** The state of a session, in wire names. */
export interface SessionReport {
  readonly session_id: string;
  readonly cwd: string;
  readonly trusted: boolean;
  readonly loaded_versions: readonly LoadedSkill[];
  readonly budget: {
    readonly entries: { readonly used: number; readonly limit: number };
    readonly bytes: { readonly used: number; readonly limit: number };
    readonly tokens: { readonly used: number; readonly limit: number | null };
    readonly shortened: number;
    readonly missing: number;
  };
  readonly skills?: {
    readonly skills: readonly WireSkill[];
    readonly hidden: readonly { readonly path: string; readonly name: string; readonly reason: string }[];
    readonly errors: readonly CatalogError[];
    readonly truncated: boolean;
  };
}

/** A question about permissions: on a skill by name or path, or on a tool as a whole. */
export interface PermissionQuestion extends SkillReference {
  readonly tool: string;
}

/** One session. Every method obeys the permissions and what has been switched off. */
export interface Session {
  readonly id: string;
  catalog(options?: { readonly reload?: boolean }): Promise<SessionCatalog>;
  /** The list of skills for the system prompt, in the form and the budget of the session unless others are given. */
  prompt(options?: PromptOptions): Promise<FittedCatalog>;
  /** E004 for an empty query. */
  search(query: SessionQuery): Promise<SkillSearchAnswer>;
  /** E001, E005, E060, E061; E012, E014, E015 when the file cannot be used. */
  load(reference: SkillReference, options?: LoadOptions): Promise<LoadResult>;
  /** A file as text for the model: no tag of ours begins in it. E062 when a quiz keeps the file closed. */
  readResource(request: ResourceRequest, options?: LoadOptions): Promise<SkillResource>;
  listResources(
    reference: SkillReference,
    options?: LoadOptions & { readonly directory?: string; readonly limit?: number },
  ): Promise<ResourceList>;
  /** The scripts of a skill. */
  listScripts(reference: SkillReference, options?: LoadOptions): Promise<readonly Script[]>;
  /**
   * Runs a script in the sandbox and gives what it has left, also when it failed. Rules for the tool `skill_run` are
   * obeyed on top of those for loading. E060, E061, E062; E012, E070, E073, E074, E075.
   */
  runScript(reference: SkillReference, script: string, options?: RunOptions): Promise<ScriptEnvelope>;
  /**
   * Starts the toolsets of a skill, again when it is active already. Rules for the tool `skill_run` are obeyed on top of
   * those for loading. A toolset that is not trusted or fails is a diagnostic. E060, E061, E062, E074.
   */
  activate(reference: SkillReference, options?: LoadOptions): Promise<Activation>;
  /** Ends the toolsets of a skill; its tools are gone. False when it was not active. */
  deactivate(reference: SkillReference): Promise<boolean>;
  /** The tools of all skills that are active and may be used now. */
  tools(): readonly SkillTool[];
  /**
   * Runs the hooks that loaded and active skills have for an event. Where the event decides something, one that cannot be
   * run is a no, with the reason.
   */
  hooks(
    event: string,
    payload: HookPayload,
    options?: { readonly signal?: AbortSignal },
  ): Promise<HookReport>;
  /** Ends toolsets, and hooks that run in the background. */
  close(): Promise<void>;
  /** Skills that a user names in a message. */
  mentions(text: string): Promise<Mention[]>;
  /** Skills to suggest for a message: whose triggers it meets, or that speak of the same things; best first. */
  triggers(text: string): Promise<TriggerMatch[]>;
  /** What is needed to carry a skill out with arguments; by the user unless said otherwise. */
  plan(
    reference: SkillReference,
    args?: string | readonly string[],
    options?: LoadOptions,
  ): Promise<InvocationPlan>;
  /** The quizzes of a skill and how they stand; none of it says which option is correct. E014 when they cannot be read. */
  quiz(reference: SkillReference, options?: LoadOptions): Promise<QuizView>;
  /** Answers questions for good; when one of them cannot be answered, none is: E100. */
  answerQuiz(
    reference: SkillReference,
    choices: readonly QuizChoice[],
    options?: LoadOptions,
  ): Promise<{ answers: QuizAnswer[]; quiz: QuizView }>;
  readonly quizMemory: QuizMemory;
  /**
   * The host says that the model no longer has what it was given: texts are sent again when they are asked for. `kept` names
   * the skills, by name or path, whose text is still in the conversation.
   */
  compacted(options?: { readonly kept?: readonly string[] }): CompactedSkills;
  /** Everything that `resume` needs, as plain JSON. */
  save(): Promise<SavedSession>;
  /**
   * Goes on with a saved session, under its id: what was loaded, quizzes, active toolsets. What is saved gives no permission:
   * toolsets are judged and trusted anew, and what the user confirmed for the session is asked again, unless the host
   * vouches that nobody else could write the value. E063, E064.
   */
  resume(saved: unknown, options?: { readonly vouched?: boolean }): Promise<ResumeReport>;
  inspect(options?: { readonly include_skills?: boolean }): Promise<SessionReport>;
  /** Skills tier by tier, under the rules of this session as they are now. */
  provider(): Promise<SkillContextProvider>;
  readonly permissions: {
    check(question: PermissionQuestion): Promise<PermissionDecision>;
    /**
     * Allows loading a skill with its files as they are, for good or with `persist: false` in this session. False when it
     * holds for this session only. E060 when a rule denies it.
     */
    remember(reference: SkillReference, options?: RememberOptions): Promise<boolean>;
  };
}
