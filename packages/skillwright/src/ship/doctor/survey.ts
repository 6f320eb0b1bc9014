// Data for the checks: the stores and their skills, the directories of agents, the programs of the machine. Read once;
// nothing is written.

import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { catchCoded, type Diagnostic, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  askProgram,
  compareBytes,
  findProgram,
  isMissing,
  readError,
  realPath,
  statusAt,
} from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import { openSandbox } from '../../guard/execute/index.ts';
import { loadCatalog, type SkillCatalog } from '../../read/catalog/index.ts';
import { type Config, defaultConfig } from '../../skill/config/index.ts';
import {
  type BuildManifest,
  buildRecord,
  isSkill,
  readBuildManifest,
  readSpelledPath,
} from '../../skill/skill/index.ts';
import type { StoreScope, Workspace } from '../../skill/workspace/index.ts';
import {
  checkDeployments,
  compareWithLock,
  entryOf,
  type FileDrift,
  hasJournal,
  type InstallContext,
  type InstallPlace,
  isIntact,
  type Lock,
  type LockedSkill,
  placesInSight,
  readLock,
  readLockText,
  readPlaced,
  withPlaceLocked,
} from '../install/index.ts';
import type { DoctorReport } from '../results/index.ts';
import { createRootReader, findAgentsInSight, type RootReader, type SeenAgent } from './agent-view.ts';

/** Environment of the doctor; a command context fits. */
export type DoctorContext = InstallContext;

/** A store, its lock and its skills. */
export interface SurveyedPlace {
  readonly place: InstallPlace;
  /** Undefined when the file is unusable. */
  readonly lock: Lock | undefined;
  readonly lockText: string | null;
  readonly lockProblem: SkillwrightError | undefined;
  /** Sources in the store, runtime directories and lock entries, by name. */
  readonly skills: readonly StoreEntry[];
  /** Why the store cannot be read. */
  readonly storeProblem: SkillwrightError | undefined;
  /** Whether a command was interrupted here. */
  readonly isInterrupted: boolean;
}

/** Result of the survey. */
export interface Survey {
  readonly context: DoctorContext;
  readonly config: Config;
  readonly configProblems: readonly Diagnostic[];
  readonly configError: SkillwrightError | undefined;
  /** The stores that no process is changing. */
  readonly places: readonly SurveyedPlace[];
  /** The skills of these stores. */
  readonly skills: readonly StoreEntry[];
  /** Stores that another process is changing. */
  readonly busy: readonly InstallPlace[];
  readonly roots: RootReader;
  readonly agents: readonly SeenAgent[];
  /** The skills skc itself finds; undefined when the configuration is unusable. Loaded on first use. */
  catalog(): Promise<SkillCatalog | undefined>;
}

/** Surveys the stores and agents. E100 for the project's scope outside a project. */
export async function takeSurvey(scope: StoreScope | undefined, context: DoctorContext): Promise<Survey> {
  const { config, configProblems, configError } = await readConfiguration(context);
  const busy: InstallPlace[] = [];
  const places: SurveyedPlace[] = [];
  for (const place of placesInSight(scope, context)) {
    const isInterrupted = hasJournal(place);
    if (isInterrupted && (await isAtWork(place, context))) busy.push(place);
    else places.push({ ...surveyPlace(place, context), isInterrupted });
  }
  const roots = createRootReader(scope, context);
  const named = new Set(
    places.flatMap(({ lock }) =>
      Object.values(lock?.skills ?? {}).flatMap(({ targets }) => targets.map(({ agent }) => agent)),
    ),
  );
  const agents = findAgentsInSight(roots, { context, named });
  const skills = places.flatMap((one) => one.skills);
  let known: Promise<SkillCatalog> | undefined;
  const catalog = async () => {
    if (configError !== undefined) return undefined;
    known ??= loadCatalog(context.workspace, { cache: false });
    return known;
  };
  return { context, config, configProblems, configError, places, skills, busy, roots, agents, catalog };
}

/** Deployments of installed skills, from the lock. */
export function lockedPlaces({ skills }: Survey): Set<string | null> {
  return new Set(
    skills.flatMap(({ name, entry, place }) =>
      entry === undefined ? [] : checkDeployments(name, entry, place).map(({ path }) => path),
    ),
  );
}

/** Whether the stores are unchanged since the survey. */
export function isAsSurveyed({ places }: Survey): boolean {
  return places.every(({ place, lockText, isInterrupted }) => {
    if (hasJournal(place) !== isInterrupted) return false;
    return catchCoded(
      () => readLockText(place.store.lock) === lockText,
      () => lockText === null,
    );
  });
}

async function readConfiguration({
  workspace,
}: DoctorContext): Promise<Pick<Survey, 'config' | 'configProblems' | 'configError'>> {
  try {
    const { values, diagnostics } = await workspace.configuration();
    return { config: values, configProblems: diagnostics, configError: undefined };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { config: defaultConfig, configProblems: [], configError: error };
  }
}

/** A journal belongs to a running process as long as that process holds the lock. */
async function isAtWork(place: InstallPlace, { signal }: DoctorContext): Promise<boolean> {
  try {
    await withPlaceLocked(place, { signal, waitMs: 0 }, () => {});
    return false;
  } catch (error) {
    if (error instanceof SkillwrightError) return error.code === 'E216';
    throw error;
  }
}

function surveyPlace(place: InstallPlace, context: DoctorContext): Omit<SurveyedPlace, 'isInterrupted'> {
  const { lock, text, problem } = catchCoded(
    () => ({ ...readLock(place.store.lock), problem: undefined }),
    (error) => ({ lock: undefined, text: null, problem: error }),
  );
  const seen = { place, lock, lockText: text, lockProblem: problem };
  return catchCoded(
    () => ({
      ...seen,
      skills: listStoreSkills(place, { lock, home: context.workspace.home }),
      storeProblem: undefined,
    }),
    (storeProblem) => ({ ...seen, skills: [], storeProblem }),
  );
}

/** The programs skc uses. */
type Machine = DoctorReport['machine'];

const GIT_TIMEOUT_MS = 5000;

/** Looks for the programs skc uses, and tries them. */
export async function lookAtMachine({
  workspace: { env },
}: Pick<DoctorContext, 'workspace'>): Promise<Machine> {
  const [git, sandbox] = await Promise.all([findGit(env), trySandbox(env)]);
  return { skc: toolVersion, git, sandbox };
}

async function findGit(env: Workspace['env']): Promise<Machine['git']> {
  const path = findProgram('git', env);
  if (path === undefined) return null;
  const answer = await askProgram(path, ['--version'], {
    env: { ...env, LC_ALL: 'C' },
    timeoutMs: GIT_TIMEOUT_MS,
  });
  // A program that does not work does not count.
  if (answer === undefined) return null;
  return { path, version: /\d+(?:\.\d+)+/.exec(answer)?.[0] ?? makeVisible(answer) };
}

async function trySandbox(env: Workspace['env']): Promise<Machine['sandbox']> {
  try {
    const { name } = await openSandbox({ env });
    return { name, why: null, fix: null };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { name: null, why: error.message.replace(/^sandbox unavailable: /, ''), fix: error.help ?? null };
  }
}

/** One name in a store. */
export interface StoreEntry {
  readonly name: string;
  readonly place: InstallPlace;
  /** Its entry in the lock. */
  readonly entry: LockedSkill | undefined;
  /** How its files differ from the lock; undefined when it is not in the lock, or has no files. */
  readonly drift: FileDrift | undefined;
  /** Canonical directory of the source, in the store or from the manifest; undefined when it does not exist. */
  readonly source: string | undefined;
  /** Path of the source, which may be gone. */
  readonly sourcePath: string;
  /** Whether the source belongs in the store. */
  readonly isStored: boolean;
  readonly runtime: {
    readonly dir: string;
    /** Undefined when there is no build, or skc did not make it. */
    readonly manifest: BuildManifest | undefined;
    /** Absolute paths of its deployments. */
    readonly deployed: readonly string[];
  };
}

/** All skills of a store in bytewise order. E015 when a directory cannot be listed. */
function listStoreSkills(
  place: InstallPlace,
  { lock, home }: { lock: Lock | undefined; home: string },
): StoreEntry[] {
  const { skills, runtime } = place.store;
  const record = buildRecord(home);
  const placed = readPlaced(place);
  const inStore = listStore(skills).filter((name) => isSkill(join(skills, name)));
  const names = new Set([...inStore, ...listStore(runtime), ...Object.keys(lock?.skills ?? {})]);
  return [...names].sort(compareBytes).map((name) => {
    const dir = join(runtime, name);
    const recorded = record.runtime(dir);
    const manifest = recorded === undefined ? undefined : readBuildManifest(dir);
    const stored = join(skills, name);
    const entry = lock === undefined ? undefined : entryOf(lock, name);
    const written = recorded?.source ?? stored;
    const sourcePath = entry !== undefined || isSkill(stored) ? stored : written;
    return {
      name,
      place,
      entry,
      drift:
        entry === undefined || statusAt(stored) === undefined
          ? undefined
          : compareWithLock(stored, entry, entryOf(placed, name)),
      sourcePath,
      source: isSkill(sourcePath) ? realpathSync.native(sourcePath) : undefined,
      isStored: sourcePath === stored || sourcePath.startsWith(join(realPath(skills), '/')),
      runtime: {
        dir,
        manifest,
        deployed: (manifest?.deployed ?? []).map((spelled) => readSpelledPath(spelled, dir, home)),
      },
    };
  });
}

/** True for an installed skill whose files differ from the lock. The user must decide about the edits first. */
export function isDrifted({ drift }: StoreEntry): boolean {
  return drift !== undefined && !isIntact(drift);
}

function listStore(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw readError(directory, error);
  }
}
