// What a session knows: its settings, the skills it sees, what the model was given, and what runs; and how its methods
// get at a skill.

import { type Diagnostic, invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { HookMemory } from '../../guard/execute/index.ts';
import {
  type Access,
  createAccess,
  type NamePolicy,
  type OpenedRecord,
  recordsNamed,
  type SkillReference,
} from '../../read/access/index.ts';
import type { CatalogBudget, Discovery, SkillCatalog, SkillRecord } from '../../read/catalog/index.ts';
import type { IndexCache } from '../../read/index/index.ts';
import type { Config } from '../../skill/config/index.ts';
import {
  createEnclosureFinder,
  isOpenToAnyone,
  type Law,
  type Operation,
  type Reason,
  standingWithin,
} from '../../skill/judge/index.ts';
import { createQuizMemory, type QuizMemory } from '../../skill/quiz/index.ts';
import { namesOfSkill } from '../../skill/skill/index.ts';
import {
  openWorkspace,
  type Permissions,
  readSwitchedOff,
  type SwitchedOff,
  type Workspace,
} from '../../skill/workspace/index.ts';
import type { LoadedSkill } from '../answers/index.ts';
import { createConfirmations, type SessionConfirmations } from './confirmations.ts';
import type { FinishedCall } from './log-session.ts';
import type { TriggerMatcher } from './match-triggers.ts';
import type { LoadOptions, Session, SessionOptions } from './session.ts';
import type { DecidedHooks } from './session-hooks.ts';
import type { RunningToolsets } from './session-toolsets.ts';

/** Settings from the host, otherwise from the configuration. */
export interface SessionSettings {
  readonly workspace: Workspace;
  readonly permissions: Permissions;
  readonly budget: CatalogBudget & { readonly entries: number; readonly bytes: number };
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/** The catalog as the model sees it now: without skills disabled since discovery, or hidden from it. */
export interface SessionView {
  /** Every record, with its current `enabled`. */
  readonly catalog: SkillCatalog;
  /** Rules and switches it was judged by. */
  readonly law: Law;
  /** Skills the model may see. */
  readonly visible: SkillCatalog;
  /** Their paths. */
  readonly visiblePaths: ReadonlySet<string>;
  /** Skills hidden from the model. `shadowed`: another skill of that name takes precedence. */
  readonly hidden: readonly { readonly skill: SkillRecord; readonly reason: Reason | 'shadowed' }[];
}

/** Everything the methods of a session share. */
export class SessionState {
  readonly options: SessionOptions & { readonly env: Workspace['env']; readonly policy: NamePolicy };
  /** The session as the host sees it. */
  session: Session | undefined;
  /** A resumed session takes over the saved id. */
  id: string;
  settings: SessionSettings;
  /** Skills whose text the model was given, by path. */
  readonly loaded = new Map<string, LoadedSkill>();
  /** Events that loaded and active skills had hooks for when last read, by path. */
  readonly hookEvents = new Map<string, readonly string[]>();
  /** Decisions about hooks that the user has not trusted, by directory. */
  readonly hookDecisions = new Map<string, DecidedHooks>();
  /** Quizzes passed in this session, and those the host keeps instead. */
  readonly ownMemory: ReturnType<typeof createQuizMemory>;
  readonly quizMemory: QuizMemory;
  readonly confirmations: SessionConfirmations;
  /** Active skills, by path, and the processes of their hooks. */
  readonly active = new Map<string, RunningToolsets>();
  hookMemory: HookMemory | undefined;
  /** Writes the access log, if the session keeps one. */
  writeRow: ((finished: FinishedCall) => Promise<void>) | undefined;
  /** Indexes of skills that were read by sections. */
  indexes: IndexCache | undefined;
  /** The last change of the active skills: they are made one at a time. */
  lastChange: Promise<unknown> = Promise.resolve();
  /** Whether a quiz locks the skill in a directory; set when a skill is activated. */
  isClosed: (dir: string) => boolean = () => false;
  /** The triggers of a list of skills, prepared once. */
  triggers: { readonly skills: readonly SkillRecord[]; readonly matcher: TriggerMatcher } | undefined;
  #catalog: Promise<SkillCatalog> | undefined;
  #last: { readonly catalog: SkillCatalog; readonly view: SessionView } | undefined;

  constructor(options: SessionState['options'], settings: SessionSettings) {
    this.options = options;
    this.settings = settings;
    this.id = options.sessionId ?? crypto.randomUUID();
    this.ownMemory = createQuizMemory(this.id);
    this.quizMemory = options.quizMemory ?? this.ownMemory;
    this.confirmations = createConfirmations(() => this.settings, options.confirm);
  }

  /** Every skill, as last read. */
  catalog(): Promise<SkillCatalog> {
    this.#catalog ??= this.#readCatalog().catch((error) => {
      this.#catalog = undefined;
      throw error;
    });
    return this.#catalog;
  }

  async #readCatalog(): Promise<SkillCatalog> {
    const { loadCatalog: own, discovery } = this.options;
    if (own !== undefined) return own();
    const { loadCatalog } = await import('../../read/catalog/load-catalog.ts');
    return loadCatalog(this.settings.workspace, discovery);
  }

  /** Reads the settings and the catalog again. */
  async reload(): Promise<void> {
    this.settings = await readSettings(this.options);
    this.#catalog = undefined;
  }

  /** A catalog as the model sees it now. Reads the small state files each time and recomputes on a change. */
  viewOf(whole: SkillCatalog): SessionView {
    const law = lawOf(this);
    const { rules, off } = law;
    const last = this.#last;
    const isSame =
      last?.catalog === whole && last.view.law.rules === rules && last.view.law.off.key === off.key;
    if (last !== undefined && isSame) return last.view;
    const view = makeView(switchOff(whole, off), law, this.options.policy);
    this.#last = { catalog: whole, view };
    return view;
  }
}

/** Opens the state of a session. E100 for an invalid limit; E110 when the configuration or a rule is broken. */
export async function openState(given: SessionOptions): Promise<SessionState> {
  const options = { ...given, env: given.env ?? process.env, policy: given.policy ?? 'ambiguous' };
  return new SessionState(options, await readSettings(options));
}

async function readSettings(options: SessionOptions): Promise<SessionSettings> {
  const { cwd, home, env, trust = false, config: given, permissions: rules } = options;
  checkBounds(options.discovery);
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const workspace = await (options.workspace?.() ??
    openWorkspace({ cwd, home, env, trust, config: given, permissions: rules, report }));
  const config = await workspace.config();
  const permissions = await workspace.rules();
  const { max_entries, max_bytes } = config.catalog;
  return {
    workspace,
    permissions,
    budget: {
      entries: options.budgets?.entries ?? max_entries,
      bytes: options.budgets?.bytes ?? max_bytes,
      tokens: options.budgets?.tokens,
    },
    config,
    diagnostics: options.workspace === undefined ? diagnostics : permissions.diagnostics,
  };
}

function checkBounds({ maxDepth, maxDirectories }: Discovery = {}): void {
  for (const [name, bound] of Object.entries({ maxDepth, maxDirectories }))
    if (bound !== undefined && !(Number.isInteger(bound) && bound > 0))
      throw invalidOption(`discovery.${name} must be a whole number above 0`);
}

/** Skills disabled since discovery. Skills disabled before that stay so until the catalog is read again. */
function switchOff(catalog: SkillCatalog, off: SwitchedOff): SkillCatalog {
  if (off.names.length === 0) return catalog;
  const skills = catalog.skills.map((skill) =>
    skill.enabled && off.has(namesOfSkill(skill), skill.dir) ? { ...skill, enabled: false } : skill,
  );
  return { ...catalog, skills };
}

/** Judges every skill only when somebody asks which are visible: finding one by name does not. */
function makeView(catalog: SkillCatalog, law: Law, policy: NamePolicy): SessionView {
  let judged: Pick<SessionView, 'visible' | 'visiblePaths' | 'hidden'> | undefined;
  const judgeAll = () => {
    judged ??= findVisible(catalog, law, policy);
    return judged;
  };
  return {
    catalog,
    law,
    get visible() {
      return judgeAll().visible;
    },
    get visiblePaths() {
      return judgeAll().visiblePaths;
    },
    get hidden() {
      return judgeAll().hidden;
    },
  };
}

function findVisible(catalog: SkillCatalog, law: Law, policy: NamePolicy) {
  const hidden: SessionView['hidden'][number][] = [];
  const enclosing = createEnclosureFinder();
  const usable = catalog.skills.filter((skill) => {
    const standing = standingWithin(skill, { operation: 'list', by: 'model' }, { law, enclosing });
    if ('reason' in standing) hidden.push({ skill, reason: standing.reason });
    return !('reason' in standing);
  });
  const candidates = { ...catalog, skills: usable };
  const skills = usable.filter((skill) => {
    const wins = policy === 'ambiguous' || recordsNamed(candidates, skill.name)[0] === skill;
    if (!wins) hidden.push({ skill, reason: 'shadowed' });
    return wins;
  });
  const visiblePaths = new Set(skills.map(({ path }) => path));
  return { hidden, visible: { ...catalog, skills }, visiblePaths };
}

/** The current rules: permissions as last read, on/off switches as on disk. */
const lawOf = ({ settings: { permissions, workspace } }: Pick<SessionState, 'settings'>): Law => ({
  rules: permissions,
  off: workspace.isCurrent() ? workspace.off : readSwitchedOff(workspace.stores),
});

/** The catalog as the model sees it now. */
export const viewOf = async (state: SessionState): Promise<SessionView> =>
  state.viewOf(await state.catalog());

/** The skills of the session under the current rules. */
export async function accessTo(state: SessionState): Promise<Access> {
  const { catalog, law } = await viewOf(state);
  const { settings, options, confirmations, quizMemory } = state;
  return createAccess({
    workspace: settings.workspace,
    by: 'model',
    law,
    policy: options.policy,
    confirmations,
    memory: () => quizMemory,
    catalog: async () => catalog,
  });
}

/** How a method accesses a skill. */
export interface SkillQuestion extends LoadOptions {
  /** Called before the user is asked to confirm a run. Throws when there is nothing to run. */
  readonly runs?: ((dir: string) => void | Promise<void>) | undefined;
}

/** Opens a skill for a method. By default a model reads it, and the user invokes it. */
export async function openFor(
  state: SessionState,
  reference: SkillReference,
  { by = 'model', operation = by === 'model' ? 'read' : 'invoke', ...how }: SkillQuestion,
): Promise<OpenedRecord> {
  const access = await accessTo(state);
  return access.openListed(reference, { ...how, by, operation }).catch(async (error: unknown) => {
    if (!(error instanceof SkillwrightError) || error.code !== 'E001') throw error;
    // It may be one of those that nobody trusted.
    const untrusted = (await access.catalog()).diagnostics.find(({ code }) => code === 'W020');
    throw untrusted === undefined ? error : error.withHelp(`${untrusted.message}; ${untrusted.help}`);
  });
}

/** Opens a skill whose code may be run now. E062 while a quiz locks it. */
export const openToRun = (
  state: SessionState,
  reference: SkillReference,
  how: SkillQuestion,
): Promise<OpenedRecord> => unlocked(openFor(state, reference, { ...how, operation: 'run' }));

/** Opens a loaded skill whose code the model or the user may run. A declined question is not asked again. */
export const openForAnyone = (
  state: SessionState,
  path: string,
  runs?: SkillQuestion['runs'],
): Promise<OpenedRecord> =>
  unlocked(
    openFor(state, { path }, { operation: 'run', runs }).catch((error) => {
      if (error instanceof SkillwrightError && error.code === 'E061') throw error;
      return openFor(state, { path }, { by: 'user', operation: 'run', runs });
    }),
  );

async function unlocked(opening: Promise<OpenedRecord>): Promise<OpenedRecord> {
  const opened = await opening;
  const { gate } = await opened.reach([]);
  if (gate !== undefined) throw gate.refusal(opened.name);
  return opened;
}

/** A test whether the model or the user may use a skill now, at most after a confirmation. */
export function usableNow(
  state: SessionState,
  operations: Readonly<Record<'model' | 'user', Operation>>,
): (skill: Parameters<typeof isOpenToAnyone>[0]) => boolean {
  const place = { law: lawOf(state), enclosing: createEnclosureFinder() };
  return (skill) => isOpenToAnyone(skill, operations, place);
}
