// Data for the checks: the stores, the compiled skills, the directories of agents. Read once; nothing is written.

import { catchCoded, type Diagnostic, SkillwrightError } from '../../base/diagnostics/index.ts';
import { loadCatalog, type SkillCatalog } from '../../read/catalog/index.ts';
import { type Config, defaultConfig } from '../../skill/config/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import {
  checkDeployments,
  hasJournal,
  type InstallContext,
  type InstallPlace,
  type Lock,
  placesInSight,
  readLock,
  readLockText,
  withPlaceLocked,
} from '../install/index.ts';
import { createRootReader, type RootReader } from './agent-root.ts';
import { findAgentsInSight, type SeenAgent } from './agents-in-sight.ts';
import { listStoreSkills, type StoreSkill } from './store-skill.ts';

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
  readonly skills: readonly StoreSkill[];
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
  readonly skills: readonly StoreSkill[];
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
export function lockedPlaces({ skills, context }: Survey): Set<string | null> {
  return new Set(
    skills.flatMap(({ name, entry, place }) =>
      entry === undefined ? [] : checkDeployments(name, entry, { place, context }).map(({ path }) => path),
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
