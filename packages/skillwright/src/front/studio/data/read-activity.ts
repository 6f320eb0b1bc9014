// The latest accesses.

import { sha256 } from '../../../base/files/index.ts';
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

/** The page. */
export interface ActivityView {
  /** Newest first. */
  readonly accesses: readonly ShownAccess[];
  readonly total: number;
  /** The runs of these accesses, newest first. */
  readonly runs: readonly AgentRun[];
}

/** One run of an agent, told as a path. */
export interface AgentRun {
  readonly run: string;
  readonly client: string | null;
  readonly first: string;
  readonly skills: readonly { readonly id: string | null; readonly name: string }[];
  /** Its accesses in order. */
  readonly steps: readonly Pick<ShownAccess, 'command' | 'subject' | 'error'>[];
  readonly tokens: number;
}

/** Reads it. */
export async function readActivity(look: Look, state: StudioState): Promise<ActivityView> {
  const accesses = await showAccesses(state.usage.recent, look);
  const runs = [...Map.groupBy(accesses, ({ run }) => run)].map(([run, newestFirst]): AgentRun => {
    const steps = newestFirst.toReversed();
    const skills = new Map(steps.map(({ skill, skillId }) => [skill, { id: skillId, name: skill }]));
    return {
      ...{ run, steps, skills: [...skills.values()] },
      client: steps.find(({ client }) => client !== null)?.client ?? null,
      first: steps[0]!.timestamp,
      tokens: steps.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  });
  return { accesses, total: state.usage.totals().count, runs };
}

/** Accesses as the studio shows them. */
export async function showAccesses(accesses: readonly LoggedAccess[], look: Look): Promise<ShownAccess[]> {
  const { access, workspace } = look.context;
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

  async function isWhole(dir: string, files: readonly string[]): Promise<boolean> {
    try {
      const opened = await access.openAt(dir, { operation: 'inspect' }, { real: dir });
      return (await opened.reach(files)).isWhole;
    } catch {
      // Gone since, or not readable.
      return false;
    }
  }
}
