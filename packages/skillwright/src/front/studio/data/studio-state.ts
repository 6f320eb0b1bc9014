// Everything the studio keeps while it runs: the skills as of the last look, numbers of the logs, facts about skills.

import { foldText } from '../../../base/markdown/index.ts';
import {
  createCatalogKeeper,
  loadCatalog,
  type SkillCatalog,
  type SkillRecord,
} from '../../../read/catalog/index.ts';
import { createIndexCache } from '../../../read/index/index.ts';
import { readAgentsInSight, type SeenAgent, skillsOf } from '../../../ship/doctor/index.ts';
import { keepWorkspace, type Workspace } from '../../../skill/workspace/index.ts';
import { type CommandContext, type FrontContext, openCatalog, openContext } from '../../commands/index.ts';
import { createPause } from './create-pause.ts';
import { createFactReader, type FactReader, type KeptFacts } from './skill-facts.ts';
import { UsageCounts } from './usage-counts.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';
import { whyUnavailable } from './why-unavailable.ts';

/** The skills at one time. */
export interface Look {
  readonly context: CommandContext;
  readonly catalog: SkillCatalog;
  /** Directories of gated skills whose quiz is passed. */
  readonly opened: ReadonlySet<string>;
  readonly byId: ReadonlyMap<string, SkillRecord>;
  readonly byDir: ReadonlyMap<string, SkillRecord>;
  /** All of them, by name. */
  readonly named: readonly SkillRecord[];
  /** Why an agent cannot use a skill; undefined when it can. */
  unavailable(skill: SkillRecord): string | undefined;
  readonly facts: FactReader;
  readonly readAt: Date;
}

/** The state of a studio. */
export interface StudioState {
  readonly front: FrontContext;
  readonly usage: UsageCounts;
  /** The skills now; a large collection may be some seconds old. */
  look(): Promise<Look>;
  /** Forgets what a change may have made old. */
  forget(): void;
  readonly verdicts: Verdicts;
  /** Agents in use here, with their skills; with many skills they may be some seconds old. */
  agents(): Promise<readonly SeenAgent[]>;
  /** Agents that see the skill in a directory. */
  agentsOf(dir: string): readonly string[];
  /** Sentences about numbers that are still being collected. */
  unfinished(): string[];
  /** Resolves when everything was collected once. */
  settled(): Promise<void>;
  close(): void;
}

/** A catalog of fewer skills is loaded for every page. */
const FEW_SKILLS = 500;
/** A larger one is loaded again, behind the page, when it is older than this, and than many times the time it takes. */
const OLD_MS = 2000;
const OLD_SHARE = 50;
/** Numbers of fewer logs are brought up to date for every page. */
const FEW_LOGS = 300;

/** How long a page waits for numbers, the first time and after a change of the skills. */
const FIRST_WAIT_MS = 300;
const WAIT_MS = 50;

/** Opens the state in the context of the command. The studio acts for the user. */
export function openState(surroundings: CommandContext): StudioState {
  const { home, env, cwd } = surroundings.workspace;
  const { now, report, note, progress, launch, signal } = surroundings;
  const workspace = keepWorkspace({ cwd, home, env });
  const keepCatalog = createCatalogKeeper();
  const indexes = createIndexCache();
  const usage = new UsageCounts();
  let isClosed = false;
  const loadKept = async (place: Workspace) => keepCatalog(place.cwd, await loadCatalog(place));
  /** The catalog of the last look while that is good enough, so that a search need not load another. */
  const recentCatalog = async (place: Workspace): Promise<SkillCatalog> =>
    current?.workspace.isCurrent() && !isOld() ? current.whole : loadKept(place);
  const front: FrontContext = {
    cwd,
    home,
    env,
    by: 'user',
    now,
    report,
    note,
    progress,
    launch,
    signal,
    indexes,
    workspace: () => workspace(),
    catalog: recentCatalog,
  };

  const kept: KeptFacts = new Map();
  const verdicts = createVerdicts();
  let current:
    | { look: Look; whole: SkillCatalog; workspace: Workspace; at: number; tookMs: number }
    | undefined;
  const isOld = () => performance.now() - current!.at > Math.max(OLD_MS, OLD_SHARE * current!.tookMs);
  let looking: Promise<Look> | undefined;
  const take = async (): Promise<Look> => {
    const started = performance.now();
    const context = await openContext({ ...front, catalog: loadKept });
    const { whole, visible, opened } = await openCatalog({ agents: [], node_modules: false }, context);
    const before = current;
    const isSame =
      before?.look.catalog === visible &&
      before.workspace.isCurrent() &&
      before.workspace.project?.dir === context.workspace.project?.dir;
    const look = isSame
      ? { ...before.look, context, opened, readAt: now() }
      : await describeLook({ context, catalog: visible, opened, front, kept, readAt: now() });
    current = {
      look,
      whole,
      workspace: isSame ? before.workspace : context.workspace,
      at: performance.now(),
      tookMs: performance.now() - started,
    };
    return look;
  };
  const lookAgain = (): Promise<Look> => {
    looking ??= take().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const look = async (): Promise<Look> => {
    if (current === undefined) return lookAgain();
    if (current.whole.skills.length <= FEW_SKILLS) return lookAgain();
    if (!current.workspace.isCurrent()) return lookAgain();
    // Loading keeps the process busy, so the page goes first.
    if (isOld()) setImmediate(() => lookAgain().catch(() => {}));
    return current.look;
  };

  let agentsSeen: readonly SeenAgent[] | undefined;
  let agentsRead = { at: 0, tookMs: 0 };
  let agentsBySkill = new Map<string, string[]>();
  const readAgents = async (): Promise<readonly SeenAgent[]> => {
    const { context } = await look();
    const started = performance.now();
    const seen = readAgentsInSight(context);
    const bySkill = new Map<string, string[]>();
    for (const one of seen)
      for (const { skill } of skillsOf(one))
        bySkill.set(skill.identity, [...(bySkill.get(skill.identity) ?? []), one.agent.id]);
    agentsRead = { at: performance.now(), tookMs: performance.now() - started };
    agentsSeen = seen;
    agentsBySkill = bySkill;
    return seen;
  };

  let measured = 0;
  const collect = async (): Promise<void> => {
    const { context, catalog, facts } = await look();
    await usage.update(context.workspace);
    await readAgents();
    const pause = createPause();
    measured = 0;
    for (const skill of catalog.skills) {
      if (isClosed) return;
      await facts.of(skill);
      measured += 1;
      await pause();
    }
  };
  let isFirst = true;
  let collecting: Promise<void> | undefined;
  let collected: SkillCatalog | undefined;
  const collectOnce = async (): Promise<void> => {
    const { catalog } = await look();
    if (collected === catalog) return;
    collecting ??= collect()
      .then(() => {
        collected = catalog;
      })
      .finally(() => {
        collecting = undefined;
      });
    await collecting;
  };

  return {
    front,
    usage,
    async look() {
      const found = await look();
      const wait = isFirst ? FIRST_WAIT_MS : WAIT_MS;
      isFirst = false;
      // More logs than these are followed behind the pages.
      if (usage.isComplete && usage.logs.length <= FEW_LOGS) await usage.update(found.context.workspace);
      if (collected !== found.catalog) await atMost(wait, collectOnce());
      return found;
    },
    forget() {
      current = undefined;
      collected = undefined;
      kept.clear();
    },
    verdicts,
    async agents() {
      const isRecent = performance.now() - agentsRead.at < OLD_SHARE * agentsRead.tookMs;
      return agentsSeen !== undefined && isRecent ? agentsSeen : readAgents();
    },
    agentsOf: (dir) => agentsBySkill.get(dir) ?? [],
    unfinished() {
      const { read, all } = usage.progress;
      const total = current?.look.catalog.skills.length ?? 0;
      return [
        ...(usage.isComplete
          ? []
          : [`Accesses are still being counted: ${read} of ${all} logs so far. Reload for newer numbers.`]),
        ...(agentsSeen === undefined
          ? ['The directories of agents are still being read. Reload to see which agents see a skill.']
          : []),
        ...(collected === current?.look.catalog || measured === total
          ? []
          : [
              `Skills are still being measured: ${measured} of ${total} so far. Reload to sort by all of them.`,
            ]),
      ];
    },
    settled: collectOnce,
    close() {
      isClosed = true;
      verdicts.close();
      usage.close();
      indexes.close();
    },
  };
}

/** Waits for work, but not longer than this; the work goes on. */
async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  // A failure is reported by the page that needs the result.
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}

async function describeLook({
  context,
  catalog,
  opened,
  front,
  kept,
  readAt,
}: Pick<Look, 'context' | 'catalog' | 'opened' | 'readAt'> & {
  front: FrontContext;
  kept: KeptFacts;
}): Promise<Look> {
  const keys = new Map(catalog.skills.map((skill) => [skill, foldText(skill.name)]));
  const named = catalog.skills.toSorted((a, b) => {
    const [x, y] = [keys.get(a)!, keys.get(b)!];
    return x < y ? -1 : x > y ? 1 : a.path < b.path ? -1 : 1;
  });
  return {
    context,
    catalog,
    opened,
    named,
    byId: new Map(catalog.skills.map((skill) => [skill.id, skill])),
    byDir: new Map(catalog.skills.map((skill) => [skill.dir, skill])),
    unavailable: await whyUnavailable({ context, catalog, opened, front }),
    facts: createFactReader(context.workspace, kept),
    readAt,
  };
}
