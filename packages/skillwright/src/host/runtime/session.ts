// The session a host works with: the skills visible from one directory.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { HookHandlers, Sandbox } from '../../guard/execute/index.ts';
import type { NamePolicy } from '../../read/access/index.ts';
import type {
  CatalogBudget,
  CatalogError,
  CatalogFormat,
  CatalogRenderer,
  Discovery,
  SkillCatalog,
  SkillRecord,
} from '../../read/catalog/index.ts';
import type { ConfigOverlay } from '../../skill/config/index.ts';
import type { Actor, Operation } from '../../skill/judge/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';
import type { PermissionRules, Workspace } from '../../skill/workspace/index.ts';
import type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
import type { SessionLog } from './log-session.ts';
import type { RunDynamic } from './plan-invocation.ts';
import type { HooksDecision, HooksQuestion } from './session-hooks.ts';
import type { permissionMethods, sessionMethods } from './session-methods.ts';
import type { SessionState, SessionView } from './session-state.ts';
import type { ContextCalls } from './skill-context.ts';

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

/** The methods of a table, without the state they share. */
type MethodsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends {
    run(state: SessionState, ...given: infer Given): infer Result;
  }
    ? (...given: Given) => Result
    : never;
};

/** A session. Every method respects permissions and disabled skills. */
export interface Session extends MethodsOf<typeof sessionMethods> {
  readonly id: string;
  readonly quizMemory: QuizMemory;
  readonly permissions: MethodsOf<typeof permissionMethods>;
}
