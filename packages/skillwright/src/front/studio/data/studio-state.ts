// Everything the studio keeps while it runs: the last look at the skills, numbers of the logs, verdicts, and what agents see.

import { createIndexCache } from '../../../read/index/index.ts';
import { readAgentsInSight, type SeenAgent, type Sights, whoSees } from '../../../ship/doctor/index.ts';
import type { CommandContext, FrontContext } from '../../commands/index.ts';
import type { ReportedSkill } from '../../report/index.ts';
import { type Kept, keepLatest, keepRecent } from './keep-read.ts';
import type { SkillContent } from './read-skill.ts';
import type { SkillStats } from './skill-stats.ts';
import { createLooks, type Look } from './take-look.ts';
import { createPause, UsageCounts } from './usage-counts.ts';
import { type ScannedSkills, scanBehind } from './verdicts.ts';

/** The state of a studio. */
export interface StudioState {
  readonly front: FrontContext;
  readonly usage: UsageCounts;
  readonly verdicts: ScannedSkills;
  /** Texts, outlines and findings of the skills whose pages were opened last, and their statistics. */
  readonly contents: Kept<SkillContent>;
  readonly stats: Kept<SkillStats>;
  /** Reports that were made together, by directory; only an export has them. */
  readonly reports: Map<string, ReportedSkill>;
  /** The skills now, or some seconds old if `mayBeOld`. */
  look(options?: { readonly mayBeOld?: boolean }): Promise<Look>;
  /** Forgets what a change may have made old. */
  forget(): void;
  /** Agents in use here, with their skills; with many skills they may be some seconds old. */
  agents(look: Look): readonly SeenAgent[];
  /** Agents that see the skill in a directory. */
  agentsOf(dir: string): readonly string[];
  /** Sentences about numbers that are still being collected. */
  unfinished(): string[];
  /** Resolves when everything but the verdicts was collected once. */
  settled(): Promise<void>;
  close(): void;
}

/** Agents are looked at again after so many times the time it takes. */
const OLD_SHARE = 50;
/** A page waits until the numbers of so many logs are up to date; those of more are counted behind it. */
const FEW_LOGS = 300;
/** How long a page waits for numbers, the first time and after a change of the skills. */
const FIRST_WAIT_MS = 300;
const WAIT_MS = 50;

/** Opens the state in the context of the command. */
export function openState(surroundings: CommandContext): StudioState {
  const indexes = createIndexCache();
  const looks = createLooks(surroundings, indexes);
  const usage = new UsageCounts();
  const verdicts = scanBehind(surroundings.workspace);
  let isClosed = false;

  let sights: Sights | undefined;
  const agentsSeen = keepRecent(
    () => {
      const seen = readAgentsInSight(looks.last!.context);
      sights = whoSees(seen);
      return seen;
    },
    { share: OLD_SHARE },
  );

  /** Skills whose facts were read, of the catalog they are from. */
  let measured = 0;
  let collected: Look['catalog'] | undefined;
  let collecting: Promise<void> | undefined;
  const collect = async ({ context, catalog, facts }: Look): Promise<void> => {
    await usage.update(context.workspace);
    agentsSeen();
    const pause = createPause();
    measured = 0;
    for (const skill of catalog.skills) {
      if (isClosed) return;
      await facts.of(skill);
      measured += 1;
      await pause();
    }
    collected = catalog;
    verdicts.check(catalog.skills, facts.installed);
  };
  const collectOnce = async (look: Look): Promise<void> => {
    if (collected === look.catalog) return;
    collecting ??= collect(look).finally(() => {
      collecting = undefined;
    });
    await collecting;
  };

  let isFirst = true;
  return {
    front: looks.front,
    usage,
    verdicts,
    contents: keepLatest(),
    stats: keepLatest(),
    reports: new Map(),
    async look({ mayBeOld = false } = {}) {
      const look = await looks.take({ mayBeOld });
      const wait = isFirst ? FIRST_WAIT_MS : WAIT_MS;
      isFirst = false;
      if (usage.isComplete) {
        const counted = usage.update(look.context.workspace);
        if (usage.logs.length <= FEW_LOGS) await counted;
      }
      if (collected !== look.catalog) await atMost(wait, collectOnce(look));
      else verdicts.check(look.catalog.skills, look.facts.installed);
      return look;
    },
    forget() {
      looks.forget();
      collected = undefined;
    },
    agents: agentsSeen,
    agentsOf: (dir) => sights?.agents(dir) ?? [],
    unfinished() {
      const { read, all } = usage.progress;
      const { skills } = looks.last?.catalog ?? { skills: [] };
      const isMeasured = collected === looks.last?.catalog || measured === skills.length;
      return [
        ...(usage.isComplete
          ? []
          : [`Accesses are still being counted: ${read} of ${all} logs so far. Reload for newer numbers.`]),
        ...(sights === undefined
          ? ['The directories of agents are still being read. Reload to see which agents see a skill.']
          : []),
        ...(isMeasured
          ? []
          : [
              `Skills are still being measured: ${measured} of ${skills.length} so far. Reload to sort by all of them.`,
            ]),
      ];
    },
    settled: async () => collectOnce(await looks.take({ mayBeOld: false })),
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
