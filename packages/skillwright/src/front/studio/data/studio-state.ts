// Everything the studio keeps while it runs: the skills as of the last look, numbers of the logs, facts about skills. A
// request takes one look and hands it on.

import { foldText } from '../../../base/markdown/index.ts';
import {
  createCatalogKeeper,
  loadCatalog,
  type SkillCatalog,
  type SkillRecord,
} from '../../../read/catalog/index.ts';
import { createIndexCache } from '../../../read/index/index.ts';
import { readAgentsInSight, type SeenAgent, skillsOf } from '../../../ship/doctor/index.ts';
import type { Reason } from '../../../skill/judge/index.ts';
import { keepWorkspace, type Workspace } from '../../../skill/workspace/index.ts';
import {
  type CommandContext,
  type FrontContext,
  openCatalog,
  openContext,
  showPath,
} from '../../commands/index.ts';
import type { SkillContent } from './read-skill.ts';
import { createFactReader, type FactReader, type LastingFacts } from './skill-facts.ts';
import type { SkillUse } from './skill-use.ts';
import { createPause, UsageCounts } from './usage-counts.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';

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
}

/** The state of a studio. */
export interface StudioState {
  readonly front: FrontContext;
  readonly usage: UsageCounts;
  /**
   * The skills now. A large collection may be some seconds old; so may any one if `mayBeOld`, for pages that look at
   * their skill themselves.
   */
  look(options?: { readonly mayBeOld?: boolean }): Promise<Look>;
  /** Forgets what a change may have made old. */
  forget(): void;
  readonly verdicts: Verdicts;
  /** Texts, outlines and findings of the skills whose pages were opened last. */
  readonly contents: Kept<SkillContent>;
  readonly uses: Kept<SkillUse>;
  /** Agents in use here, with their skills; with many skills they may be some seconds old. */
  agents(look: Look): readonly SeenAgent[];
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
    // The catalog of the last look while that is good enough, so that a search need not load another.
    catalog: async (place) => (isRecent() ? current!.whole : loadKept(place)),
  };

  const kept = new Map<string, LastingFacts>();
  const verdicts = createVerdicts();
  const contents = keepLatest<SkillContent>();
  const uses = keepLatest<SkillUse>();
  let current:
    | { look: Look; whole: SkillCatalog; workspace: Workspace; at: number; tookMs: number }
    | undefined;
  const isOld = () => performance.now() - current!.at > Math.max(OLD_MS, OLD_SHARE * current!.tookMs);
  const isRecent = () => current?.workspace.isCurrent() === true && !isOld();
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
    const look: Look = isSame
      ? { ...before.look, context, opened }
      : {
          context,
          catalog: visible,
          opened,
          named: sortByName(visible.skills),
          byId: new Map(visible.skills.map((skill) => [skill.id, skill])),
          byDir: new Map(visible.skills.map((skill) => [skill.dir, skill])),
          unavailable: await whyUnavailable({ context, catalog: visible, opened }, front),
          facts: createFactReader(context.workspace, kept),
        };
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
  const look = async (mayBeOld: boolean): Promise<Look> => {
    if (current === undefined || !current.workspace.isCurrent()) return lookAgain();
    if (current.whole.skills.length <= FEW_SKILLS) return mayBeOld && !isOld() ? current.look : lookAgain();
    // Loading keeps the process busy, so the page goes first.
    if (isOld()) setImmediate(() => lookAgain().catch(() => {}));
    return current.look;
  };

  let agentsSeen: readonly SeenAgent[] | undefined;
  let agentsRead = { at: 0, tookMs: 0 };
  let agentsBySkill = new Map<string, string[]>();
  const readAgents = ({ context }: Look): readonly SeenAgent[] => {
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
  const collect = async (found: Look): Promise<void> => {
    await usage.update(found.context.workspace);
    readAgents(found);
    const pause = createPause();
    measured = 0;
    for (const skill of found.catalog.skills) {
      if (isClosed) return;
      await found.facts.of(skill);
      measured += 1;
      await pause();
    }
    collected = found.catalog;
  };
  let isFirst = true;
  let collecting: Promise<void> | undefined;
  let collected: SkillCatalog | undefined;
  const collectOnce = async (found: Look): Promise<void> => {
    if (collected === found.catalog) return;
    collecting ??= collect(found).finally(() => {
      collecting = undefined;
    });
    await collecting;
  };

  return {
    front,
    usage,
    async look({ mayBeOld = false } = {}) {
      const found = await look(mayBeOld);
      const wait = isFirst ? FIRST_WAIT_MS : WAIT_MS;
      isFirst = false;
      // More logs than these are followed behind the pages.
      if (usage.isComplete && usage.logs.length <= FEW_LOGS) await usage.update(found.context.workspace);
      if (collected !== found.catalog) await atMost(wait, collectOnce(found));
      return found;
    },
    forget() {
      current = undefined;
      collected = undefined;
      kept.clear();
    },
    verdicts,
    contents,
    uses,
    agents(found) {
      const isKept = performance.now() - agentsRead.at < OLD_SHARE * agentsRead.tookMs;
      return agentsSeen !== undefined && isKept ? agentsSeen : readAgents(found);
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
    settled: async () => collectOnce(await look(false)),
    close() {
      isClosed = true;
      verdicts.close();
      usage.close();
      indexes.close();
    },
  };
}

/** Something that is read for a skill, and kept until its stamp changes. */
export type Kept<Fact> = (
  skill: SkillRecord,
  stamp: string,
  read: () => Fact | Promise<Fact>,
) => Promise<Fact>;

/** Skills that are remembered with all that was read of them. */
const MAX_KEPT = 50;

function keepLatest<Fact>(): Kept<Fact> {
  const kept = new Map<string, { readonly stamp: string; readonly fact: Fact }>();
  return async ({ path }, stamp, read) => {
    const known = kept.get(path);
    const fact = known?.stamp === stamp ? known.fact : await read();
    kept.delete(path);
    kept.set(path, { stamp, fact });
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return fact;
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

function sortByName(skills: readonly SkillRecord[]): SkillRecord[] {
  const keys = new Map(skills.map((skill) => [skill, foldText(skill.name)]));
  return skills.toSorted((a, b) => {
    const [x, y] = [keys.get(a)!, keys.get(b)!];
    return x < y ? -1 : x > y ? 1 : a.path < b.path ? -1 : 1;
  });
}

const reasons: Readonly<Record<Reason, string>> = {
  disabled: 'It is switched off.',
  unavailable: 'Something it requires is missing.',
  denied: 'A rule of your configuration denies it.',
  'user-only': 'Only you can invoke it (disable-model-invocation).',
  'model-only': 'Only a model can invoke it (user-invocable).',
};

/** A function that says why an agent cannot use a skill. It asks the judge on behalf of a model. */
async function whyUnavailable(
  { context, catalog, opened }: Pick<Look, 'context' | 'catalog' | 'opened'>,
  front: FrontContext,
): Promise<Look['unavailable']> {
  const { access } = await openContext({ ...front, by: 'model' });
  const { hidden } = await access.view(catalog);
  const why = new Map(
    hidden.map(({ skill, reason }) => [
      skill.path,
      reason === 'unavailable' && skill.reason !== undefined ? skill.reason : reasons[reason],
    ]),
  );
  const shadowed = new Map<string, string>();
  for (const { path, dir, shadows } of catalog.skills)
    for (const later of shadows)
      if (!shadowed.has(later) && later !== path) shadowed.set(later, showPath(dir, context.workspace));
  return ({ path, dir, gated }) => {
    const known = why.get(path);
    if (known !== undefined) return known;
    if (gated && !opened.has(dir)) return 'It is locked until its quiz is passed.';
    const by = shadowed.get(path);
    return by === undefined ? undefined : `A skill of the same name hides it: ${by}`;
  };
}
