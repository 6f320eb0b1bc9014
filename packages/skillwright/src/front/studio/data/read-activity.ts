// The latest accesses.

import { sha256 } from '../../../base/files/index.ts';
import { foldText } from '../../../base/markdown/index.ts';
import { showPlace } from './show-place.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import type { LoggedAccess } from './usage-counts.ts';

/** An access as the studio shows it: without directories, and without what was read of a skill that is locked now. */
export type ShownAccess = Omit<LoggedAccess, 'id' | 'path' | 'cwd' | 'files' | 'runtime' | 'owner'> & {
  /** Rises with every access of one log. */
  readonly key: string;
  /** Id of the skill; null when it is gone. */
  readonly skillId: string | null;
  readonly project: string;
};

/** Chooses accesses; `q` has words of the subject. */
type ActivityFilter = Readonly<Record<'skill' | 'agent' | 'command', string | null>> & {
  readonly q: string;
  readonly failed: boolean;
};

/** The page. */
export type ActivityView = Awaited<ReturnType<typeof readActivity>>;

/** One run of an agent, told as a path. */
export type AgentRun = ActivityView['runs'][number];

/** Accesses without a client are those of the command line. */
const COMMAND_LINE = 'command line';

/** Reads it. Runs are those of the chosen accesses, each with all its steps. */
export async function readActivity(filter: ActivityFilter, look: Look, state: StudioState) {
  const latest = await showAccesses(state.usage.recent, look);
  const agentOf = ({ client }: ShownAccess) => client ?? COMMAND_LINE;
  const words = foldText(filter.q).split(' ').filter(Boolean);
  const accesses = latest.filter(
    (access) =>
      (filter.skill === null || access.skill === filter.skill) &&
      (filter.agent === null || agentOf(access) === filter.agent) &&
      (filter.command === null || access.command === filter.command) &&
      (!filter.failed || access.error !== null) &&
      words.every((word) => foldText(access.subject ?? '').includes(word)),
  );
  const chosen = new Set(accesses.map(({ run }) => run));
  const ofRuns = latest.filter(({ run }) => chosen.has(run));
  const named = (of: (access: ShownAccess) => string) => [...new Set(latest.map(of))].sort();
  const runs = [...Map.groupBy(ofRuns, ({ run }) => run)].flatMap(([run, newestFirst]) => {
    const steps = newestFirst.toReversed().filter(({ command }) => command !== 'build');
    const skills = new Map(
      steps.map(({ skill, skillId }) => [skillId ?? skill, { id: skillId, name: skill }]),
    );
    if (steps.length === 0) return [];
    return [
      {
        /** Its accesses in order. */
        steps: steps.map(({ command, subject, error }) => ({ command, subject, error })),
        ...{ run, skills: [...skills.values()] },
        client: steps.find(({ client }) => client !== null)?.client ?? null,
        first: newestFirst.at(-1)!.timestamp,
        tokens: newestFirst.reduce((sum, { tokens }) => sum + tokens, 0),
      },
    ];
  });
  return {
    /** Newest first. */
    accesses,
    /** The runs of these accesses, newest first. */
    runs: runs.toSorted((a, b) => (a.first < b.first ? 1 : -1)),
    filter,
    /** The latest accesses, of which the filter chooses. */
    latest: latest.length,
    total: state.usage.totals().count,
    /** Skills, agents and commands of the latest accesses, to choose from. */
    choices: {
      skill: named(({ skill }) => skill),
      agent: named(agentOf),
      command: named(({ command }) => command),
    },
  };
}

/** Accesses as the studio shows them. */
async function showAccesses(accesses: readonly LoggedAccess[], look: Look): Promise<ShownAccess[]> {
  const { access, workspace } = look.context;
  const known = new Map<string, Promise<boolean>>();
  const shown: ShownAccess[] = [];
  for (const { id, path, cwd, files, runtime, owner, ...one } of accesses) {
    const record = look.byDir.get(owner);
    const isLocked = one.subject !== null && record !== undefined && !(await isWhole(record.dir, files));
    shown.push({
      ...one,
      key: `${sha256(runtime).slice(0, 8)}-${id}`,
      skill: record?.name ?? one.skill,
      skillId: record === undefined ? null : look.addressOf(record),
      subject: isLocked ? null : one.subject,
      project: showPlace(cwd, workspace),
    });
  }
  return shown;

  function isWhole(dir: string, files: readonly string[]): Promise<boolean> {
    const key = [dir, ...files].join('\0');
    const answer = known.get(key) ?? askWhole(dir, files);
    known.set(key, answer);
    return answer;
  }

  async function askWhole(dir: string, files: readonly string[]): Promise<boolean> {
    try {
      const opened = await access.openAt(dir, { operation: 'inspect' }, { real: dir });
      return (await opened.reach(files)).isWhole;
    } catch {
      // Gone since, or not readable.
      return false;
    }
  }
}
